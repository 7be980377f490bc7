// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for worksharing loops, sections, and loops that are divided among the teams of a league. Bounds are
// inclusive. A static loop needs one call, which computes the thread's first chunk and the distance from chunk to
// chunk; the generated code does the rest. The chunks of all other loops are handed out by calls of `next`.
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/iterations/iterations.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/worksharing/loop.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

// Schedules. The compiler passes a number, with two bits for the modifiers.
namespace teff::openmp::kmpc {
namespace {

[[maybe_unused]] constexpr std::int32_t sched_static_chunked = 33, sched_static = 34, sched_dynamic = 35,
                                        sched_guided = 36, sched_runtime = 37, sched_auto = 38, sched_trapezoidal = 39,
                                        sched_greedy = 40, sched_balanced = 41, sched_guided_iterative = 42,
                                        sched_guided_analytical = 43, sched_static_steal = 44,
                                        sched_static_balanced_chunked = 45, sched_guided_simd = 46,
                                        sched_runtime_simd = 47;
// The schedules are numbered again from these bounds on: for loops with an `ordered` clause, and for parts that are not
// merged. Those of `distribute` have two numbers of their own.
constexpr std::int32_t sched_ordered = 64, sched_distribute_chunked = 91, sched_distribute = 92, sched_no_merge = 160,
                       sched_no_merge_ordered = 192;
constexpr std::int32_t sched_monotonic = 1 << 29, sched_nonmonotonic = 1 << 30;

struct schedule_number {
    std::int32_t kind;  // a number of an unordered schedule, or of one for `distribute`
    bool is_ordered = false;
    bool is_monotonic = true;
};

constexpr schedule_number plain_schedule(std::int32_t number) noexcept {
    const bool is_monotonic = (number & sched_nonmonotonic) == 0;
    number &= ~(sched_monotonic | sched_nonmonotonic);
    const std::int32_t first = sched_static_chunked - 1;
    if (number >= sched_no_merge_ordered)
        return {number - sched_no_merge_ordered + first, true, is_monotonic};
    if (number >= sched_no_merge)
        return {number - sched_no_merge + first, false, is_monotonic};
    if (number >= sched_distribute_chunked)
        return {number, false, is_monotonic};
    if (number >= sched_ordered)
        return {number - sched_ordered + first, true, is_monotonic};
    return {number, false, is_monotonic};
}

// The chunk size for the calls that compute bounds; 0 if the schedule has none.
constexpr std::uint64_t static_chunk(std::int32_t number, std::int64_t chunk) noexcept {
    const std::int32_t kind = plain_schedule(number).kind;
    if (kind != sched_static_chunked && kind != sched_distribute_chunked && kind != sched_static_balanced_chunked)
        return 0;
    return chunk < 1 ? 1 : static_cast<std::uint64_t>(chunk);
}

// The schedule for the calls that hand out chunks of `count` iterations. chunk < 1: none is given.
loop_schedule schedule_of(const place& caller, const schedule_number& number, std::int64_t chunk,
                          std::uint64_t count) noexcept {
    const std::uint64_t size = chunk < 1 ? 0 : static_cast<std::uint64_t>(chunk);
    switch (number.kind) {
    case sched_dynamic:
    case sched_static_steal:
        return {schedule_kind::dynamic, size, number.is_monotonic};
    case sched_guided:
    case sched_guided_iterative:
    case sched_guided_analytical:
    case sched_guided_simd:
    case sched_trapezoidal:
        // From one counter: LLVM's own test computes each piece from what is left at that moment.
        return {schedule_kind::guided, size};
    case sched_runtime:
        return schedule_at_run_time(caller, number.is_monotonic);
    case sched_runtime_simd: {
        // The call passes the vector length as the chunk. All chunks but the last must be multiples of it.
        loop_schedule chosen = schedule_at_run_time(caller, number.is_monotonic);
        const std::uint64_t length = size == 0 ? 1 : size;
        if (chosen.kind == schedule_kind::automatic)
            chosen = {schedule_kind::static_, 0};
        chosen.chunk = chosen.chunk == 0 ? even_chunk(count, caller.size, length) : chosen.chunk * length;
        return chosen;
    }
    case sched_auto:
        return {schedule_kind::automatic, 0, number.is_monotonic};
    case sched_static_chunked:
        return {schedule_kind::static_, size == 0 ? 1 : size};
    default:
        return {schedule_kind::static_, 0};
    }
}

}  // namespace
}  // namespace teff::openmp::kmpc

// Static loops.
namespace teff::openmp::kmpc {
namespace {

// What a tool is told of a loop that has been given its first chunk.
template <class Value>
void report(const ident* where, std::uint64_t iterations, const static_bounds<Value>& chunk,
            std::make_signed_t<Value> step) noexcept {
    if constexpr (events::are_reported) {
        const std::int32_t flags = where != nullptr ? where->flags : 0;
        if ((flags & ident::work_sections) != 0)
            events::sections_begin(iterations);
        else if ((flags & ident::work_distribute) != 0)
            events::loop_begins(events::work_kind::distribute, iterations);
        else
            events::loop_begins(events::work_kind::loop_static, iterations);
        const iteration_space first = inclusive_space(chunk.first, chunk.last, step);
        if (first.count != 0)
            events::chunk_begins(static_cast<std::uint64_t>(chunk.first), first.count);
    }
}

template <class Value>
void init(const ident* where, std::int32_t schedule, std::int32_t* is_last, Value* first, Value* last,
          std::make_signed_t<Value>* stride, std::make_signed_t<Value> step, std::make_signed_t<Value> chunk,
          events::call_site from) noexcept {
    const events::runtime_call called(from);
    const place& caller = this_place();
    const std::int32_t kind = plain_schedule(schedule).kind;
    const bool is_distribute = kind == sched_distribute || kind == sched_distribute_chunked;
    const part_of_team part = is_distribute ? part_of_league(caller) : part_of_team{caller.number, caller.size};
    const static_bounds<Value> found =
        static_part(*first, *last, step, static_chunk(schedule, chunk), part);
    report(where, inclusive_space(*first, *last, step).count, found, step);
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

#define TEFF_STATIC_LOOP(name, value, difference)                                                                      \
    void __kmpc_for_static_init_##name(ident* where, int32_t, int32_t schedule, int32_t* is_last, value* first,        \
                                       value* last, difference* stride, difference step, difference chunk) {           \
        kmpc::init(where, schedule, is_last, first, last, stride, step, chunk, TEFF_CALL_SITE);                        \
    }
TEFF_STATIC_LOOP(4, int32_t, int32_t)
TEFF_STATIC_LOOP(4u, uint32_t, int32_t)
TEFF_STATIC_LOOP(8, int64_t, int64_t)
TEFF_STATIC_LOOP(8u, uint64_t, int64_t)
void __kmpc_for_static_fini(ident*, int32_t) {
    const events::runtime_call called(TEFF_CALL_SITE);
    events::work_ends();
}
}

// Loops whose chunks are handed out: dynamic, guided, runtime, and all ordered ones. A thread has left a loop when
// `next` has returned 0.
namespace teff::openmp::kmpc {
namespace {

template <class Value>
void init(std::int32_t schedule, Value first, Value last, std::make_signed_t<Value> step,
          std::make_signed_t<Value> chunk, events::call_site from) noexcept {
    const events::runtime_call called(from);
    place& caller = this_place();
    const schedule_number number = plain_schedule(schedule);
    const iteration_space space = inclusive_space(first, last, step);
    begin_loop(caller, space, schedule_of(caller, number, chunk, space.count), number.is_ordered);
}

template <class Value>
[[gnu::always_inline]] inline std::int32_t next(std::int32_t* is_last, Value* first, Value* last,
                                                std::make_signed_t<Value>* step, events::call_site from) noexcept {
    const events::runtime_call called(from);
    place& caller = this_place();
    const iteration_range found = next_chunk(caller);
    const iteration_space& space = caller.work.space;
    if (found.is_empty()) [[unlikely]] {
        leave_loop(caller);
        return 0;
    }
    *first = static_cast<Value>(space.value(found.begin));
    events::chunk_begins(static_cast<std::uint64_t>(*first), found.end - found.begin);
    *last = static_cast<Value>(space.value(found.end - 1));
    if (step != nullptr)
        *step = static_cast<std::make_signed_t<Value>>(space.step);
    if (is_last != nullptr)
        *is_last = found.end == space.count ? 1 : 0;
    return 1;
}

}  // namespace
}  // namespace teff::openmp::kmpc

extern "C" {

void __kmpc_dispatch_init_4(ident*, int32_t, int32_t schedule, int32_t first, int32_t last, int32_t step,
                            int32_t chunk) {
    kmpc::init(schedule, first, last, step, chunk, TEFF_CALL_SITE);
}
void __kmpc_dispatch_init_4u(ident*, int32_t, int32_t schedule, uint32_t first, uint32_t last, int32_t step,
                             int32_t chunk) {
    kmpc::init(schedule, first, last, step, chunk, TEFF_CALL_SITE);
}
void __kmpc_dispatch_init_8(ident*, int32_t, int32_t schedule, int64_t first, int64_t last, int64_t step,
                            int64_t chunk) {
    kmpc::init(schedule, first, last, step, chunk, TEFF_CALL_SITE);
}
void __kmpc_dispatch_init_8u(ident*, int32_t, int32_t schedule, uint64_t first, uint64_t last, int64_t step,
                             int64_t chunk) {
    kmpc::init(schedule, first, last, step, chunk, TEFF_CALL_SITE);
}

int32_t __kmpc_dispatch_next_4(ident*, int32_t, int32_t* is_last, int32_t* first, int32_t* last, int32_t* step) {
    return kmpc::next(is_last, first, last, step, TEFF_CALL_SITE);
}
int32_t __kmpc_dispatch_next_4u(ident*, int32_t, int32_t* is_last, uint32_t* first, uint32_t* last, int32_t* step) {
    return kmpc::next(is_last, first, last, step, TEFF_CALL_SITE);
}
int32_t __kmpc_dispatch_next_8(ident*, int32_t, int32_t* is_last, int64_t* first, int64_t* last, int64_t* step) {
    return kmpc::next(is_last, first, last, step, TEFF_CALL_SITE);
}
int32_t __kmpc_dispatch_next_8u(ident*, int32_t, int32_t* is_last, uint64_t* first, uint64_t* last, int64_t* step) {
    return kmpc::next(is_last, first, last, step, TEFF_CALL_SITE);
}

// The end of an iteration of an ordered loop. The turn is passed on at the ends of ordered regions and of chunks.
void __kmpc_dispatch_fini_4(ident*, int32_t) {}
void __kmpc_dispatch_fini_4u(ident*, int32_t) {}
void __kmpc_dispatch_fini_8(ident*, int32_t) {}
void __kmpc_dispatch_fini_8u(ident*, int32_t) {}
void __kmpc_dispatch_deinit(ident*, int32_t) { leave_loop(this_place()); }

void __kmpc_ordered(ident*, int32_t) {
    place& caller = this_place();
    events::mutex_acquire(events::mutex_kind::ordered, 0, caller.in, TEFF_CALL_SITE);
    begin_ordered(caller);
    events::mutex_acquired(events::mutex_kind::ordered, caller.in, TEFF_CALL_SITE);
}
void __kmpc_end_ordered(ident*, int32_t) {
    place& caller = this_place();
    end_ordered(caller);
    events::mutex_released(events::mutex_kind::ordered, caller.in, TEFF_CALL_SITE);
}

// Sections are numbered from 0. Only `next` gets the number of sections, and returns it when none is left. (Clang makes
// a static loop of sections instead.)
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

// Loops that are divided among the teams of a league, and then among the threads of a team. (Clang's code divides in
// two steps instead, by calls for plain loops.)
namespace teff::openmp::kmpc {
namespace {

// Computes the thread's part of the team's part. last_of_team: receives the end of the team's part.
template <class Value>
void init_both(std::int32_t schedule, std::int32_t* is_last, Value* first, Value* last, Value* last_of_team,
               std::make_signed_t<Value>* stride, std::make_signed_t<Value> step,
               std::make_signed_t<Value> chunk) noexcept {
    const place& caller = this_place();
    const static_bounds<Value> of_team = static_part(*first, *last, step, 0, part_of_league(caller));
    const static_bounds<Value> mine = static_part(of_team.first, of_team.last, step, static_chunk(schedule, chunk),
                                                  {caller.number, caller.size});
    *first = mine.first;
    *last = mine.last;
    *last_of_team = of_team.last;
    *stride = mine.stride;
    if (is_last != nullptr)
        *is_last = of_team.is_last && mine.is_last ? 1 : 0;
}

// Computes the team's chunks.
template <class Value>
void init_team(std::int32_t* is_last, Value* first, Value* last, std::make_signed_t<Value>* stride,
               std::make_signed_t<Value> step, std::make_signed_t<Value> chunk) noexcept {
    const static_bounds<Value> mine =
        static_part(*first, *last, step, chunk < 1 ? 1 : iterations::widen(chunk), part_of_league(this_place()));
    *first = mine.first;
    *last = mine.last;
    *stride = mine.stride;
    if (is_last != nullptr)
        *is_last = mine.is_last ? 1 : 0;
}

// Computes the team's part, whose chunks are then handed out to its threads.
template <class Value>
void init_chunks(std::int32_t schedule, std::int32_t* is_last, Value first, Value last,
                 std::make_signed_t<Value> step, std::make_signed_t<Value> chunk) noexcept {
    place& caller = this_place();
    const static_bounds<Value> of_team = static_part(first, last, step, 0, part_of_league(caller));
    if (is_last != nullptr)
        *is_last = of_team.is_last ? 1 : 0;
    const schedule_number number = plain_schedule(schedule);
    const iteration_space space = inclusive_space(of_team.first, of_team.last, step);
    begin_loop(caller, space, schedule_of(caller, number, chunk, space.count), number.is_ordered);
}

}  // namespace
}  // namespace teff::openmp::kmpc

using std::int32_t;

#define TEFF_DISTRIBUTED_LOOP(suffix, type, step_type)                                                                 \
    void __kmpc_dist_for_static_init_##suffix(ident*, int32_t, int32_t schedule, int32_t* is_last, type* first,        \
                                              type* last, type* last_of_team, step_type* stride, step_type step,       \
                                              step_type chunk) {                                                       \
        kmpc::init_both(schedule, is_last, first, last, last_of_team, stride, step, chunk);                            \
    }                                                                                                                  \
    void __kmpc_team_static_init_##suffix(ident*, int32_t, int32_t* is_last, type* first, type* last,                  \
                                          step_type* stride, step_type step, step_type chunk) {                        \
        kmpc::init_team(is_last, first, last, stride, step, chunk);                                                    \
    }                                                                                                                  \
    void __kmpc_dist_dispatch_init_##suffix(ident*, int32_t, int32_t schedule, int32_t* is_last, type first,           \
                                            type last, step_type step, step_type chunk) {                              \
        kmpc::init_chunks(schedule, is_last, first, last, step, chunk);                                                \
    }

extern "C" {

TEFF_DISTRIBUTED_LOOP(4, std::int32_t, std::int32_t)
TEFF_DISTRIBUTED_LOOP(4u, std::uint32_t, std::int32_t)
TEFF_DISTRIBUTED_LOOP(8, std::int64_t, std::int64_t)
TEFF_DISTRIBUTED_LOOP(8u, std::uint64_t, std::int64_t)
}
