// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for parallel regions that consist of a loop or of sections. The region's function asks for its first
// chunk by the loop's `next`, so each thread begins the loop before it calls the function.
#include <teff/frontends/openmp/gomp/loop_bounds.hpp>
#include <teff/frontends/openmp/gomp/outlined_region.hpp>

namespace teff::openmp::gomp {
namespace {

using region_function = void (*)(void*);

struct loop_region {
    outlined_region region;
    long first, end, step;
    loop_schedule how;
    bool is_at_run_time = false;

    static void run(place& here, void* self) {
        auto& loop = *static_cast<loop_region*>(self);
        const loop_schedule how =
            loop.is_at_run_time ? schedule_at_run_time(here, loop.how.is_monotonic) : loop.how;
        begin(here, loop.first, loop.end, loop.step, how, false);
        outlined_region::run(here, &loop.region);
    }
};

void run_loop(region_function function, void* data, unsigned threads, long first, long end, long step,
              loop_schedule how, long chunk, unsigned flags) noexcept {
    how.chunk = chunk_size(chunk);
    loop_region region{{function, data}, first, end, step, how};
    run_region(this_place(), clauses_of(threads, flags), &loop_region::run, &region);
}
void run_loop_at_run_time(region_function function, void* data, unsigned threads, long first, long end, long step,
                          bool is_monotonic, unsigned flags) noexcept {
    loop_region region{{function, data}, first, end, step, {.is_monotonic = is_monotonic}, true};
    run_region(this_place(), clauses_of(threads, flags), &loop_region::run, &region);
}

struct sections_region {
    outlined_region region;
    unsigned count;

    static void run(place& here, void* self) {
        auto& sections = *static_cast<sections_region*>(self);
        begin_sections(here, sections.count);
        outlined_region::run(here, &sections.region);
    }
};

}  // namespace
}  // namespace teff::openmp::gomp

using namespace teff::openmp;
using gomp::region_function;

#define TEFF_PARALLEL_LOOP(name, how)                                                                                  \
    void GOMP_parallel_loop_##name(region_function function, void* data, unsigned threads, long first, long end,       \
                                   long step, long chunk, unsigned flags) {                                            \
        gomp::run_loop(function, data, threads, first, end, step, gomp::how, chunk, flags);                            \
    }
#define TEFF_PARALLEL_LOOP_AT_RUN_TIME(name, is_monotonic)                                                             \
    void GOMP_parallel_loop_##name(region_function function, void* data, unsigned threads, long first, long end,       \
                                   long step, unsigned flags) {                                                        \
        gomp::run_loop_at_run_time(function, data, threads, first, end, step, is_monotonic, flags);                    \
    }

extern "C" {

TEFF_PARALLEL_LOOP(static, static_loop)
TEFF_PARALLEL_LOOP(dynamic, dynamic_loop)
TEFF_PARALLEL_LOOP(guided, guided_loop)
TEFF_PARALLEL_LOOP(nonmonotonic_dynamic, nonmonotonic_dynamic_loop)
TEFF_PARALLEL_LOOP(nonmonotonic_guided, guided_loop)
TEFF_PARALLEL_LOOP_AT_RUN_TIME(runtime, true)
TEFF_PARALLEL_LOOP_AT_RUN_TIME(nonmonotonic_runtime, false)
TEFF_PARALLEL_LOOP_AT_RUN_TIME(maybe_nonmonotonic_runtime, false)

void GOMP_parallel_sections(region_function function, void* data, unsigned threads, unsigned count, unsigned flags) {
    gomp::sections_region region{{function, data}, count};
    run_region(this_place(), gomp::clauses_of(threads, flags), &gomp::sections_region::run, &region);
}
}
