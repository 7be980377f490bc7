// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for loops whose chunks are handed out: dynamic, guided, runtime, and all ordered ones. Bounds are
// inclusive. A loop has ended for a thread when `next` has returned 0.
#include <teff/frontends/openmp/core/worksharing/loop.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>
#include <teff/frontends/openmp/kmpc/schedules.hpp>

#include <limits>
#include <type_traits>

namespace teff::openmp::kmpc {
namespace {

template <class Value>
void init(std::int32_t schedule, Value first, Value last, std::make_signed_t<Value> step,
          std::make_signed_t<Value> chunk) noexcept {
    place& caller = this_place();
    const schedule_number number = plain_schedule(schedule);
    const iteration_space space = inclusive_space(first, last, step);
    begin_loop(caller, space, schedule_of(caller, number, chunk, space.count), number.is_ordered);
}

template <class Value>
[[gnu::always_inline]] inline std::int32_t next(std::int32_t* is_last, Value* first, Value* last,
                                                std::make_signed_t<Value>* step) noexcept {
    place& caller = this_place();
    const iteration_range found = next_chunk(caller);
    const iteration_space& space = caller.work.space;
    if (found.is_empty()) [[unlikely]] {
        leave_loop(caller);
        return 0;
    }
    *first = static_cast<Value>(space.value(found.begin));
    *last = static_cast<Value>(space.value(found.end - 1));
    if (step != nullptr)
        *step = static_cast<std::make_signed_t<Value>>(space.step);
    if (is_last != nullptr)
        *is_last = found.end == space.count ? 1 : 0;
    return 1;
}

}  // namespace
}  // namespace teff::openmp::kmpc

using namespace teff::openmp;
using kmpc::ident;
using std::int32_t, std::uint32_t, std::int64_t, std::uint64_t;

extern "C" {

void __kmpc_dispatch_init_4(ident*, int32_t, int32_t schedule, int32_t first, int32_t last, int32_t step,
                            int32_t chunk) {
    kmpc::init(schedule, first, last, step, chunk);
}
void __kmpc_dispatch_init_4u(ident*, int32_t, int32_t schedule, uint32_t first, uint32_t last, int32_t step,
                             int32_t chunk) {
    kmpc::init(schedule, first, last, step, chunk);
}
void __kmpc_dispatch_init_8(ident*, int32_t, int32_t schedule, int64_t first, int64_t last, int64_t step,
                            int64_t chunk) {
    kmpc::init(schedule, first, last, step, chunk);
}
void __kmpc_dispatch_init_8u(ident*, int32_t, int32_t schedule, uint64_t first, uint64_t last, int64_t step,
                             int64_t chunk) {
    kmpc::init(schedule, first, last, step, chunk);
}

int32_t __kmpc_dispatch_next_4(ident*, int32_t, int32_t* is_last, int32_t* first, int32_t* last, int32_t* step) {
    return kmpc::next(is_last, first, last, step);
}
int32_t __kmpc_dispatch_next_4u(ident*, int32_t, int32_t* is_last, uint32_t* first, uint32_t* last, int32_t* step) {
    return kmpc::next(is_last, first, last, step);
}
int32_t __kmpc_dispatch_next_8(ident*, int32_t, int32_t* is_last, int64_t* first, int64_t* last, int64_t* step) {
    return kmpc::next(is_last, first, last, step);
}
int32_t __kmpc_dispatch_next_8u(ident*, int32_t, int32_t* is_last, uint64_t* first, uint64_t* last, int64_t* step) {
    return kmpc::next(is_last, first, last, step);
}

// The end of an iteration of an ordered loop. The turn passes on with chunks and regions.
void __kmpc_dispatch_fini_4(ident*, int32_t) {}
void __kmpc_dispatch_fini_4u(ident*, int32_t) {}
void __kmpc_dispatch_fini_8(ident*, int32_t) {}
void __kmpc_dispatch_fini_8u(ident*, int32_t) {}
void __kmpc_dispatch_deinit(ident*, int32_t) { leave_loop(this_place()); }

void __kmpc_ordered(ident*, int32_t) { begin_ordered(this_place()); }
void __kmpc_end_ordered(ident*, int32_t) { end_ordered(this_place()); }

// Sections are numbered from 0; their number is known in `next` only, which returns it if nothing is left. (Clang makes
// a static loop of them instead.)
int32_t __kmpc_sections_init(ident*, int32_t) {
    begin_sections(this_place(), std::numeric_limits<uint32_t>::max());
    return 1;
}
int32_t __kmpc_next_section(ident*, int32_t, int32_t count) {
    place& caller = this_place();
    const iteration_range found = next_chunk(caller);
    if (!found.is_empty() && found.begin < static_cast<uint64_t>(count))
        return static_cast<int32_t>(found.begin);
    leave_loop(caller);
    return count;
}
void __kmpc_end_sections(ident*, int32_t) { leave_loop(this_place()); }
}
