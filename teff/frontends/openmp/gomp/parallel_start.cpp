// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parallel regions as compilers before GCC 4.9 called them: in two halves, between which the thread that opens the
// region calls the region's function itself. The region may consist of a loop or of sections, which each thread begins
// before it calls the function.
#include <teff/frontends/openmp/gomp/construct_region.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>

namespace teff::openmp::gomp {
namespace {

void start(const construct_region& region, unsigned threads) noexcept {
    auto* const kept = create<construct_region>(region);
    if (kept == nullptr)
        fatal("OpenMP", "there is no memory for a parallel region", "give the process more memory");
    kept->begin(begin_region(this_place(), clauses_of(threads, 0), &construct_region::run, kept));
}

}  // namespace
}  // namespace teff::openmp::gomp

using namespace teff::openmp;
using gomp::region_function;

extern "C" {

void GOMP_parallel_start(region_function function, void* data, unsigned threads) {
    gomp::start({{function, data}}, threads);
}
void GOMP_parallel_loop_static_start(region_function function, void* data, unsigned threads, long first, long end,
                                     long step, long chunk) {
    gomp::start(gomp::region_of_loop(function, data, first, end, step, gomp::static_loop, chunk), threads);
}
void GOMP_parallel_loop_dynamic_start(region_function function, void* data, unsigned threads, long first, long end,
                                      long step, long chunk) {
    gomp::start(gomp::region_of_loop(function, data, first, end, step, gomp::dynamic_loop, chunk), threads);
}
void GOMP_parallel_loop_guided_start(region_function function, void* data, unsigned threads, long first, long end,
                                     long step, long chunk) {
    gomp::start(gomp::region_of_loop(function, data, first, end, step, gomp::guided_loop, chunk), threads);
}
void GOMP_parallel_loop_runtime_start(region_function function, void* data, unsigned threads, long first, long end,
                                      long step) {
    gomp::start(gomp::region_of_loop_at_run_time(function, data, first, end, step, true), threads);
}
void GOMP_parallel_sections_start(region_function function, void* data, unsigned threads, unsigned count) {
    gomp::start(gomp::region_of_sections(function, data, count), threads);
}
void GOMP_parallel_end() { teff::destroy(static_cast<gomp::construct_region*>(end_region(this_place()))); }
}
