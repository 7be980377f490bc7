// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for parallel regions, also those that consist of a loop or of sections, and for teams constructs.
#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/gomp/loop_bounds.hpp>
#include <teff/frontends/openmp/gomp/outlined_call.hpp>

// A region that may consist of a loop or of sections. The region's function asks for its first chunk by the construct's
// `next`, so each thread begins the construct before it calls the function.
namespace teff::openmp::gomp {
namespace {

using region_function = void (*)(void*);

struct construct_region {
    outlined_region call;
    // Begins the construct; nullptr: the region has none.
    void (*begin_construct)(place& caller, const construct_region& self) = nullptr;
    long first = 0, end = 0, step = 1;
    loop_schedule how = {};
    unsigned sections = 0;

    void begin(place& caller) const {
        if (begin_construct != nullptr)
            begin_construct(caller, *this);
    }
    static void run(place& caller, void* argument) {
        auto& self = *static_cast<construct_region*>(argument);
        self.begin(caller);
        outlined_region::run(caller, &self.call);
    }
};

construct_region region_of_loop(region_function function, void* data, long first, long end, long step,
                                loop_schedule schedule, long chunk) noexcept {
    schedule.chunk = chunk_size(chunk);
    return {{function, data},
            [](place& caller, const construct_region& self) {
                begin(caller, self.first, self.end, self.step, self.how, false);
            },
            first,
            end,
            step,
            schedule};
}
// With the schedule of the internal control variable run-sched-var.
construct_region region_of_loop_at_run_time(region_function function, void* data, long first, long end, long step,
                                            bool is_monotonic) noexcept {
    return {{function, data},
            [](place& caller, const construct_region& self) {
                begin(caller, self.first, self.end, self.step, schedule_at_run_time(caller, self.how.is_monotonic),
                      false);
            },
            first,
            end,
            step,
            {.is_monotonic = is_monotonic}};
}
construct_region region_of_sections(region_function function, void* data, unsigned count) noexcept {
    return {
        .call = {function, data},
        .begin_construct = [](place& caller, const construct_region& self) { begin_sections(caller, self.sections); },
        .sections = count};
}

}  // namespace
}  // namespace teff::openmp::gomp

using namespace teff::openmp;

extern "C" void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned flags) {
    const events::runtime_call called(TEFF_CALL_SITE);
    gomp::outlined_region region{function, data};
    run_region(this_place(), gomp::clauses_of(threads, flags), &gomp::outlined_region::run, &region);
}

// Regions that consist of a loop or of sections.
namespace teff::openmp::gomp {
namespace {

void run(construct_region region, unsigned threads, unsigned flags) noexcept {
    run_region(this_place(), clauses_of(threads, flags), &construct_region::run, &region);
}

}  // namespace
}  // namespace teff::openmp::gomp

using gomp::region_function;

#define TEFF_PARALLEL_LOOP(name, how)                                                                                  \
    void GOMP_parallel_loop_##name(region_function function, void* data, unsigned threads, long first, long end,       \
                                   long step, long chunk, unsigned flags) {                                            \
        const events::runtime_call called(TEFF_CALL_SITE);                                                             \
        gomp::run(gomp::region_of_loop(function, data, first, end, step, gomp::how, chunk), threads, flags);           \
    }
#define TEFF_PARALLEL_LOOP_AT_RUN_TIME(name, is_monotonic)                                                             \
    void GOMP_parallel_loop_##name(region_function function, void* data, unsigned threads, long first, long end,       \
                                   long step, unsigned flags) {                                                        \
        const events::runtime_call called(TEFF_CALL_SITE);                                                             \
        gomp::run(gomp::region_of_loop_at_run_time(function, data, first, end, step, is_monotonic), threads, flags);   \
    }

extern "C" {

TEFF_PARALLEL_LOOP(static, static_loop)
TEFF_PARALLEL_LOOP(dynamic, dynamic_loop)
TEFF_PARALLEL_LOOP(guided, guided_loop)
TEFF_PARALLEL_LOOP(nonmonotonic_dynamic, nonmonotonic_dynamic_loop)
TEFF_PARALLEL_LOOP(nonmonotonic_guided, nonmonotonic_guided_loop)
TEFF_PARALLEL_LOOP_AT_RUN_TIME(runtime, true)
TEFF_PARALLEL_LOOP_AT_RUN_TIME(nonmonotonic_runtime, false)
TEFF_PARALLEL_LOOP_AT_RUN_TIME(maybe_nonmonotonic_runtime, false)

void GOMP_parallel_sections(region_function function, void* data, unsigned threads, unsigned count, unsigned flags) {
    const events::runtime_call called(TEFF_CALL_SITE);
    gomp::run(gomp::region_of_sections(function, data, count), threads, flags);
}
}

// Parallel regions as compilers before GCC 4.9 called them: in two halves, between which the thread that opens the
// region calls the region's function itself.
namespace teff::openmp::gomp {
namespace {

void start(const construct_region& region, unsigned threads, events::call_site from) noexcept {
    events::runtime_call called(from);
    auto* const kept = create<construct_region>(region);
    if (kept == nullptr)
        fatal("OpenMP", "there is no memory for a parallel region", "give the process more memory");
    place& mine = begin_region(this_place(), clauses_of(threads, 0), &construct_region::run, kept);
    kept->begin(mine);
    called.stays_open(mine.implicit);
}

}  // namespace
}  // namespace teff::openmp::gomp

extern "C" {

void GOMP_parallel_start(region_function function, void* data, unsigned threads) {
    gomp::start({{function, data}}, threads, TEFF_CALL_SITE);
}
void GOMP_parallel_loop_static_start(region_function function, void* data, unsigned threads, long first, long end,
                                     long step, long chunk) {
    gomp::start(gomp::region_of_loop(function, data, first, end, step, gomp::static_loop, chunk), threads,
                TEFF_CALL_SITE);
}
void GOMP_parallel_loop_dynamic_start(region_function function, void* data, unsigned threads, long first, long end,
                                      long step, long chunk) {
    gomp::start(gomp::region_of_loop(function, data, first, end, step, gomp::dynamic_loop, chunk), threads,
                TEFF_CALL_SITE);
}
void GOMP_parallel_loop_guided_start(region_function function, void* data, unsigned threads, long first, long end,
                                     long step, long chunk) {
    gomp::start(gomp::region_of_loop(function, data, first, end, step, gomp::guided_loop, chunk), threads,
                TEFF_CALL_SITE);
}
void GOMP_parallel_loop_runtime_start(region_function function, void* data, unsigned threads, long first, long end,
                                      long step) {
    gomp::start(gomp::region_of_loop_at_run_time(function, data, first, end, step, true), threads, TEFF_CALL_SITE);
}
void GOMP_parallel_sections_start(region_function function, void* data, unsigned threads, unsigned count) {
    gomp::start(gomp::region_of_sections(function, data, count), threads, TEFF_CALL_SITE);
}
void GOMP_parallel_end() {
    place& caller = this_place();
    place& opener = *caller.in->opener;
    {
        const events::runtime_call called(TEFF_CALL_SITE);
        teff::destroy(static_cast<gomp::construct_region*>(end_region(caller)));
    }
    events::close_call(*opener.current);
}
}

// Teams constructs.
namespace teff::openmp::gomp {
namespace {

void begin_team(place& opener, unsigned thread_limit, const place_in_league& next, events::call_site from) noexcept {
    events::runtime_call called(from);
    if (next.number == 0)
        events::league_begins(opener, next.size);
    called.stays_open(enter_team(opener, thread_limit, next).implicit);
}
void end_team(place& caller, events::call_site from) noexcept {
    place& opener = *caller.in->opener;
    const bool is_last = caller.in->league.number + 1 == caller.in->league.size;
    {
        const events::runtime_call called(from);
        leave_team(caller);
        if (is_last)
            events::league_ends(opener);
    }
    events::close_call(*opener.current);
}

}  // namespace
}  // namespace teff::openmp::gomp

extern "C" {

// A teams construct on the host, outside of target regions.
void GOMP_teams_reg(void (*function)(void*), void* data, unsigned teams, unsigned thread_limit, unsigned) {
    const events::runtime_call called(TEFF_CALL_SITE);
    gomp::outlined_region region{function, data};
    run_teams(this_place(), {.least = 0, .most = teams, .thread_limit = thread_limit}, &gomp::outlined_region::run,
              &region);
}

// A teams construct inside a target region. The code runs the construct's block for one team after the other, as long
// as this call returns true. is_first: the first call of the construct.
bool GOMP_teams4(unsigned least, unsigned most, unsigned thread_limit, bool is_first) {
    place& caller = this_place();
    if (is_first) {
        const unsigned size = size_of_league({least, most, thread_limit});
        gomp::begin_team(caller, thread_limit, {0, size}, TEFF_CALL_SITE);
        return true;
    }
    const place_in_league last = caller.in->league;
    place& opener = *caller.in->opener;
    gomp::end_team(caller, TEFF_CALL_SITE);
    if (last.number + 1 == last.size)
        return false;
    gomp::begin_team(opener, thread_limit, {last.number + 1, last.size}, TEFF_CALL_SITE);
    return true;
}
// The form of OpenMP 4.0: the target region's code continues as the only team.
void GOMP_teams(unsigned, unsigned thread_limit) {
    if (thread_limit != 0)
        own_environment(this_place()).thread_limit = thread_limit;
}
}
