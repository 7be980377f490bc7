// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for reductions. The result says how the generated code combines: 1, plainly, and then it calls `end`;
// 2, by atomic operations. Without `nowait` it calls `end` in both cases, which is then also a barrier.
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/worksharing/reduction.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

#include <cstddef>

namespace teff::openmp::kmpc {
namespace {

std::int32_t begin(const ident* location, std::int32_t variables, void* memory) noexcept {
    const bool has_atomics = location != nullptr && (location->flags & ident::atomic_reduction) != 0;
    const combination_way way = begin_combination(this_place(), static_cast<unsigned>(variables), has_atomics,
                                                  critical_in(memory));
    return way == combination_way::atomic ? 2 : 1;
}

}  // namespace
}  // namespace teff::openmp::kmpc

using namespace teff::openmp;
using kmpc::ident;

extern "C" {

std::int32_t __kmpc_reduce_nowait(ident* location, std::int32_t, std::int32_t variables, std::size_t, void*,
                                  void (*)(void*, void*), void* memory) {
    return kmpc::begin(location, variables, memory);
}
void __kmpc_end_reduce_nowait(ident*, std::int32_t, void* memory) {
    end_combination(this_place(), critical_in(memory));
}
std::int32_t __kmpc_reduce(ident* location, std::int32_t, std::int32_t variables, std::size_t, void*,
                           void (*)(void*, void*), void* memory) {
    return kmpc::begin(location, variables, memory);
}
void __kmpc_end_reduce(ident*, std::int32_t, void* memory) {
    place& caller = this_place();
    end_combination(caller, critical_in(memory));
    wait_at_barrier(caller);
}
}
