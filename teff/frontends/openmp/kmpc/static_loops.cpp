// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for static loops. One call gives a thread the bounds of its first chunk, which are inclusive, and the
// distance from chunk to chunk. The generated code does the rest without the runtime.
#include <teff/frontends/openmp/core/iterations/static_bounds.hpp>
#include <teff/frontends/openmp/core/regions/league.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>
#include <teff/frontends/openmp/kmpc/schedules.hpp>

namespace teff::openmp::kmpc {
namespace {

template <class Value>
void init(std::int32_t schedule, std::int32_t* is_last, Value* first, Value* last, std::make_signed_t<Value>* stride,
          std::make_signed_t<Value> step, std::make_signed_t<Value> chunk) noexcept {
    const place& caller = this_place();
    const std::int32_t kind = plain_schedule(schedule).kind;
    const bool is_distribute = kind == sched_distribute || kind == sched_distribute_chunked;
    const part_of_team part = is_distribute ? part_of_league(caller) : part_of_team{caller.number, caller.size};
    const static_bounds<Value> found =
        static_part(*first, *last, step, static_chunk(schedule, chunk), part);
    *first = found.first;
    *last = found.last;
    *stride = found.stride;
    if (is_last != nullptr)
        *is_last = found.is_last ? 1 : 0;
}

}  // namespace
}  // namespace teff::openmp::kmpc

using namespace teff::openmp;
using kmpc::ident;
using std::int32_t, std::uint32_t, std::int64_t, std::uint64_t;

extern "C" {

void __kmpc_for_static_init_4(ident*, int32_t, int32_t schedule, int32_t* is_last, int32_t* first, int32_t* last,
                              int32_t* stride, int32_t step, int32_t chunk) {
    kmpc::init(schedule, is_last, first, last, stride, step, chunk);
}
void __kmpc_for_static_init_4u(ident*, int32_t, int32_t schedule, int32_t* is_last, uint32_t* first, uint32_t* last,
                               int32_t* stride, int32_t step, int32_t chunk) {
    kmpc::init(schedule, is_last, first, last, stride, step, chunk);
}
void __kmpc_for_static_init_8(ident*, int32_t, int32_t schedule, int32_t* is_last, int64_t* first, int64_t* last,
                              int64_t* stride, int64_t step, int64_t chunk) {
    kmpc::init(schedule, is_last, first, last, stride, step, chunk);
}
void __kmpc_for_static_init_8u(ident*, int32_t, int32_t schedule, int32_t* is_last, uint64_t* first, uint64_t* last,
                               int64_t* stride, int64_t step, int64_t chunk) {
    kmpc::init(schedule, is_last, first, last, stride, step, chunk);
}
void __kmpc_for_static_fini(ident*, int32_t) {}
}
