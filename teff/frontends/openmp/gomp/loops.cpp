// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for worksharing loops over `long` and `unsigned long long`, and for sections, which are iterations of a
// dynamic loop. Loops have one function for each schedule, with and without `ordered`, and with the modifiers
// `monotonic` (no word in the name) and `nonmonotonic`. Two more functions begin loops that share something besides,
// with the schedule as a number.
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/worksharing/loop.hpp>
#include <teff/frontends/openmp/gomp/loop_bounds.hpp>

namespace teff::openmp::gomp {
namespace {

bool start(long first, long end, long step, loop_schedule schedule, long chunk, bool is_ordered, long* chunk_first,
           long* chunk_end) noexcept {
    place& caller = this_place();
    schedule.chunk = chunk_size(chunk);
    begin(caller, first, end, step, schedule, is_ordered);
    return next(caller, chunk_first, chunk_end);
}
bool start(bool is_up, ull first, ull end, ull step, loop_schedule schedule, ull chunk, bool is_ordered,
           ull* chunk_first, ull* chunk_end) noexcept {
    place& caller = this_place();
    schedule.chunk = chunk_size(chunk);
    begin(caller, is_up, first, end, step, schedule, is_ordered);
    return next(caller, chunk_first, chunk_end);
}
bool start_at_run_time(long first, long end, long step, bool is_monotonic, bool is_ordered, long* chunk_first,
                       long* chunk_end) noexcept {
    place& caller = this_place();
    begin(caller, first, end, step, schedule_at_run_time(caller, is_monotonic), is_ordered);
    return next(caller, chunk_first, chunk_end);
}
bool start_at_run_time(bool is_up, ull first, ull end, ull step, bool is_monotonic, bool is_ordered, ull* chunk_first,
                       ull* chunk_end) noexcept {
    place& caller = this_place();
    begin(caller, is_up, first, end, step, schedule_at_run_time(caller, is_monotonic), is_ordered);
    return next(caller, chunk_first, chunk_end);
}

bool start_sharing(long first, long end, long step, long schedule, long chunk, bool is_ordered, long* chunk_first,
                   long* chunk_end, std::uintptr_t* reductions, void** memory) noexcept {
    place& caller = this_place();
    begin(caller, first, end, step, schedule_of(caller, schedule, chunk_size(chunk)), is_ordered);
    share(caller, reductions, memory);
    return next_if_any(caller, chunk_first, chunk_end);
}
bool start_sharing(bool is_up, ull first, ull end, ull step, long schedule, ull chunk, bool is_ordered,
                   ull* chunk_first, ull* chunk_end, std::uintptr_t* reductions, void** memory) noexcept {
    place& caller = this_place();
    begin(caller, is_up, first, end, step, schedule_of(caller, schedule, chunk_size(chunk)), is_ordered);
    share(caller, reductions, memory);
    return next_if_any(caller, chunk_first, chunk_end);
}

}  // namespace
}  // namespace teff::openmp::gomp

using namespace teff::openmp;
using gomp::ull;

// The functions of one schedule, for both types.
#define TEFF_LOOP_NEXT(name)                                                                                           \
    bool GOMP_loop_##name##_next(long* chunk_first, long* chunk_end) { return gomp::next(chunk_first, chunk_end); }    \
    bool GOMP_loop_ull_##name##_next(ull* chunk_first, ull* chunk_end) { return gomp::next(chunk_first, chunk_end); }
#define TEFF_LOOP(name, how, is_ordered)                                                                               \
    bool GOMP_loop_##name##_start(long first, long end, long step, long chunk, long* chunk_first, long* chunk_end) {   \
        const events::runtime_call called(TEFF_CALL_SITE);                                                             \
        return gomp::start(first, end, step, gomp::how, chunk, is_ordered, chunk_first, chunk_end);                    \
    }                                                                                                                  \
    bool GOMP_loop_ull_##name##_start(bool is_up, ull first, ull end, ull step, ull chunk, ull* chunk_first,           \
                                      ull* chunk_end) {                                                                \
        const events::runtime_call called(TEFF_CALL_SITE);                                                             \
        return gomp::start(is_up, first, end, step, gomp::how, chunk, is_ordered, chunk_first, chunk_end);             \
    }                                                                                                                  \
    TEFF_LOOP_NEXT(name)
#define TEFF_LOOP_AT_RUN_TIME(name, is_monotonic, is_ordered)                                                          \
    bool GOMP_loop_##name##_start(long first, long end, long step, long* chunk_first, long* chunk_end) {               \
        const events::runtime_call called(TEFF_CALL_SITE);                                                             \
        return gomp::start_at_run_time(first, end, step, is_monotonic, is_ordered, chunk_first, chunk_end);            \
    }                                                                                                                  \
    bool GOMP_loop_ull_##name##_start(bool is_up, ull first, ull end, ull step, ull* chunk_first, ull* chunk_end) {    \
        const events::runtime_call called(TEFF_CALL_SITE);                                                             \
        return gomp::start_at_run_time(is_up, first, end, step, is_monotonic, is_ordered, chunk_first, chunk_end);     \
    }                                                                                                                  \
    TEFF_LOOP_NEXT(name)

extern "C" {

TEFF_LOOP(static, static_loop, false)
TEFF_LOOP(dynamic, dynamic_loop, false)
TEFF_LOOP(guided, guided_loop, false)
TEFF_LOOP(nonmonotonic_dynamic, nonmonotonic_dynamic_loop, false)
TEFF_LOOP(nonmonotonic_guided, nonmonotonic_guided_loop, false)
TEFF_LOOP_AT_RUN_TIME(runtime, true, false)
TEFF_LOOP_AT_RUN_TIME(nonmonotonic_runtime, false, false)
TEFF_LOOP_AT_RUN_TIME(maybe_nonmonotonic_runtime, false, false)
TEFF_LOOP(ordered_static, static_loop, true)
TEFF_LOOP(ordered_dynamic, dynamic_loop, true)
TEFF_LOOP(ordered_guided, guided_loop, true)
TEFF_LOOP_AT_RUN_TIME(ordered_runtime, true, true)

#define TEFF_LOOP_SHARING(name, is_ordered)                                                                            \
    bool GOMP_loop_##name(long first, long end, long step, long schedule, long chunk, long* chunk_first,               \
                          long* chunk_end, std::uintptr_t* reductions, void** memory) {                                \
        const events::runtime_call called(TEFF_CALL_SITE);                                                             \
        return gomp::start_sharing(first, end, step, schedule, chunk, is_ordered, chunk_first, chunk_end, reductions,  \
                                   memory);                                                                            \
    }                                                                                                                  \
    bool GOMP_loop_ull_##name(bool is_up, ull first, ull end, ull step, long schedule, ull chunk, ull* chunk_first,    \
                              ull* chunk_end, std::uintptr_t* reductions, void** memory) {                             \
        const events::runtime_call called(TEFF_CALL_SITE);                                                             \
        return gomp::start_sharing(is_up, first, end, step, schedule, chunk, is_ordered, chunk_first, chunk_end,       \
                                   reductions, memory);                                                                \
    }
TEFF_LOOP_SHARING(start, false)
TEFF_LOOP_SHARING(ordered_start, true)

void GOMP_loop_end_nowait() {
    const events::runtime_call called(TEFF_CALL_SITE);
    leave_loop(this_place());
}
void GOMP_loop_end() {
    const events::runtime_call called(TEFF_CALL_SITE);
    gomp::end_with_barrier(this_place());
}

void GOMP_ordered_start() {
    place& caller = this_place();
    events::mutex_acquire(events::mutex_kind::ordered, 0, caller.in, TEFF_CALL_SITE);
    begin_ordered(caller);
    events::mutex_acquired(events::mutex_kind::ordered, caller.in, TEFF_CALL_SITE);
}
void GOMP_ordered_end() {
    place& caller = this_place();
    end_ordered(caller);
    events::mutex_released(events::mutex_kind::ordered, caller.in, TEFF_CALL_SITE);
}
}

// Sections are numbered from 1; 0 means that none is left.
namespace teff::openmp::gomp {
namespace {

unsigned next_section(place& caller) noexcept {
    const iteration_range found = next_chunk(caller);
    if (found.is_empty())
        return 0;
    events::chunk_begins(found.begin, 1);
    return static_cast<unsigned>(found.begin) + 1;
}

}  // namespace
}  // namespace teff::openmp::gomp

extern "C" {

unsigned GOMP_sections_start(unsigned count) {
    const events::runtime_call called(TEFF_CALL_SITE);
    place& caller = this_place();
    begin_sections(caller, count);
    return gomp::next_section(caller);
}
// share() describes the last two arguments.
unsigned GOMP_sections2_start(unsigned count, std::uintptr_t* reductions, void** memory) {
    const events::runtime_call called(TEFF_CALL_SITE);
    place& caller = this_place();
    begin_sections(caller, count);
    gomp::share(caller, reductions, memory);
    return gomp::next_section(caller);
}
unsigned GOMP_sections_next() {
    const events::runtime_call called(TEFF_CALL_SITE);
    return gomp::next_section(this_place());
}
void GOMP_sections_end_nowait() {
    const events::runtime_call called(TEFF_CALL_SITE);
    leave_loop(this_place());
}
void GOMP_sections_end() {
    const events::runtime_call called(TEFF_CALL_SITE);
    gomp::end_with_barrier(this_place());
}
}
