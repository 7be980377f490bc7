// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for parallel regions that consist of a loop or of sections.
#include <teff/frontends/openmp/gomp/construct_region.hpp>

namespace teff::openmp::gomp {
namespace {

void run(construct_region region, unsigned threads, unsigned flags) noexcept {
    run_region(this_place(), clauses_of(threads, flags), &construct_region::run, &region);
}

}  // namespace
}  // namespace teff::openmp::gomp

using namespace teff::openmp;
using gomp::region_function;

#define TEFF_PARALLEL_LOOP(name, how)                                                                                  \
    void GOMP_parallel_loop_##name(region_function function, void* data, unsigned threads, long first, long end,       \
                                   long step, long chunk, unsigned flags) {                                            \
        gomp::run(gomp::region_of_loop(function, data, first, end, step, gomp::how, chunk), threads, flags);           \
    }
#define TEFF_PARALLEL_LOOP_AT_RUN_TIME(name, is_monotonic)                                                             \
    void GOMP_parallel_loop_##name(region_function function, void* data, unsigned threads, long first, long end,       \
                                   long step, unsigned flags) {                                                        \
        gomp::run(gomp::region_of_loop_at_run_time(function, data, first, end, step, is_monotonic), threads, flags);   \
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
    gomp::run(gomp::region_of_sections(function, data, count), threads, flags);
}
}
