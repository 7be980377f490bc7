// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for threadprivate variables, of code that is compiled with -fnoopenmp-use-tls. All other code has them
// in thread-local storage.
#include <teff/frontends/openmp/core/data/threadprivate.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

#include <teff/base/atomic.hpp>

using namespace teff::openmp;
using kmpc::ident;

namespace {

bool is_main_thread() noexcept { return this_place().global_number == 0; }

}  // namespace

extern "C" {

void __kmpc_threadprivate_register(ident*, void* variable, void* (*construct)(void*), void* (*copy)(void*, void*),
                                   void (*end)(void*)) {
    register_threadprivate(variable, {.construct = construct, .copy = copy, .end = end});
}
// For an array of so many objects.
void __kmpc_threadprivate_register_vec(ident*, void* variable, void* (*construct)(void*, std::size_t),
                                       void* (*copy)(void*, void*, std::size_t), void (*end)(void*, std::size_t),
                                       std::size_t count) {
    register_threadprivate(variable,
                           {.construct_all = construct, .copy_all = copy, .end_all = end, .count = count});
}

void* __kmpc_threadprivate(ident*, std::int32_t, void* variable, std::size_t size) {
    return copy_of(find_variable(variable, size), is_main_thread());
}
// cache: one word of the program for each variable; it has the address of what the runtime knows of the variable.
void* __kmpc_threadprivate_cached(ident*, std::int32_t, void* variable, std::size_t size, void*** cache) {
    auto& kept = *reinterpret_cast<teff::atomic<threadprivate_variable*>*>(cache);
    // acquire: sees the variable's contents; partner: the release below.
    threadprivate_variable* found = kept.load(std::memory_order_acquire);
    if (found == nullptr) {
        found = &find_variable(variable, size);
        // release: publishes what the mutex has published to this thread.
        kept.store(found, std::memory_order_release);
    }
    return copy_of(*found, is_main_thread());
}
}
