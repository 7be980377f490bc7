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
    bool is_at_run_time;

    static void run(place& here, void* self) {
        auto& loop = *static_cast<loop_region*>(self);
        begin(here, loop.first, loop.end, loop.step, loop.is_at_run_time ? schedule_at_run_time(here) : loop.how,
              false);
        outlined_region::run(here, &loop.region);
    }
};

void run_loop(region_function function, void* data, unsigned threads, long first, long end, long step,
              schedule_kind kind, long chunk, unsigned flags) noexcept {
    loop_region region{{function, data}, first, end, step, {kind, chunk_size(chunk)}, false};
    run_region(this_place(), clauses_of(threads, flags), &loop_region::run, &region);
}
void run_loop_at_run_time(region_function function, void* data, unsigned threads, long first, long end, long step,
                          unsigned flags) noexcept {
    loop_region region{{function, data}, first, end, step, {}, true};
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

#define TEFF_PARALLEL_LOOP(name, kind)                                                                                 \
    void GOMP_parallel_loop_##name(region_function function, void* data, unsigned threads, long first, long end,       \
                                   long step, long chunk, unsigned flags) {                                            \
        gomp::run_loop(function, data, threads, first, end, step, kind, chunk, flags);                                 \
    }
#define TEFF_PARALLEL_LOOP_AT_RUN_TIME(name)                                                                           \
    void GOMP_parallel_loop_##name(region_function function, void* data, unsigned threads, long first, long end,       \
                                   long step, unsigned flags) {                                                        \
        gomp::run_loop_at_run_time(function, data, threads, first, end, step, flags);                                  \
    }

extern "C" {

TEFF_PARALLEL_LOOP(static, schedule_kind::static_)
TEFF_PARALLEL_LOOP(dynamic, schedule_kind::dynamic)
TEFF_PARALLEL_LOOP(guided, schedule_kind::guided)
TEFF_PARALLEL_LOOP(nonmonotonic_dynamic, schedule_kind::dynamic)
TEFF_PARALLEL_LOOP(nonmonotonic_guided, schedule_kind::guided)
TEFF_PARALLEL_LOOP_AT_RUN_TIME(runtime)
TEFF_PARALLEL_LOOP_AT_RUN_TIME(nonmonotonic_runtime)
TEFF_PARALLEL_LOOP_AT_RUN_TIME(maybe_nonmonotonic_runtime)

void GOMP_parallel_sections(region_function function, void* data, unsigned threads, unsigned count, unsigned flags) {
    gomp::sections_region region{{function, data}, count};
    run_region(this_place(), gomp::clauses_of(threads, flags), &gomp::sections_region::run, &region);
}
}
