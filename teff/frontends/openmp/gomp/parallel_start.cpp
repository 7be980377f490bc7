// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parallel regions as compilers before GCC 4.9 called them: in two halves, between which the thread that opens the
// region calls the region's function itself. The region may consist of a loop or of sections, which each thread begins
// before it calls the function.
#include <teff/frontends/openmp/gomp/loop_bounds.hpp>
#include <teff/frontends/openmp/gomp/outlined_region.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>

namespace teff::openmp::gomp {
namespace {

using region_function = void (*)(void*);

struct started_region {
    outlined_region call;
    // Begins the construct; nullptr: there is none.
    void (*begin_construct)(place& here, const started_region& self) = nullptr;
    long first = 0, end = 0, step = 1;
    loop_schedule how = {};
    unsigned sections = 0;

    void begin(place& here) const {
        if (begin_construct != nullptr)
            begin_construct(here, *this);
    }
    static void run(place& here, void* argument) {
        auto& self = *static_cast<started_region*>(argument);
        self.begin(here);
        outlined_region::run(here, &self.call);
    }
};

void begin_its_loop(place& here, const started_region& self) {
    begin(here, self.first, self.end, self.step, self.how, false);
}
void begin_its_loop_at_run_time(place& here, const started_region& self) {
    begin(here, self.first, self.end, self.step, schedule_at_run_time(here, true), false);
}
void begin_its_sections(place& here, const started_region& self) { begin_sections(here, self.sections); }

void start(const started_region& region, unsigned threads) noexcept {
    auto* const kept = create<started_region>(region);
    if (kept == nullptr)
        fatal("OpenMP", "there is no memory for a parallel region", "give the process more memory");
    kept->begin(begin_region(this_place(), clauses_of(threads, 0), &started_region::run, kept));
}
void start_loop(region_function function, void* data, unsigned threads, long first, long end, long step,
                schedule_kind kind, long chunk) noexcept {
    start({{function, data}, &begin_its_loop, first, end, step, {kind, chunk_size(chunk)}}, threads);
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
    gomp::start_loop(function, data, threads, first, end, step, schedule_kind::static_, chunk);
}
void GOMP_parallel_loop_dynamic_start(region_function function, void* data, unsigned threads, long first, long end,
                                      long step, long chunk) {
    gomp::start_loop(function, data, threads, first, end, step, schedule_kind::dynamic, chunk);
}
void GOMP_parallel_loop_guided_start(region_function function, void* data, unsigned threads, long first, long end,
                                     long step, long chunk) {
    gomp::start_loop(function, data, threads, first, end, step, schedule_kind::guided, chunk);
}
void GOMP_parallel_loop_runtime_start(region_function function, void* data, unsigned threads, long first, long end,
                                      long step) {
    gomp::start({{function, data}, &gomp::begin_its_loop_at_run_time, first, end, step}, threads);
}
void GOMP_parallel_sections_start(region_function function, void* data, unsigned threads, unsigned count) {
    gomp::start({.call = {function, data}, .begin_construct = &gomp::begin_its_sections, .sections = count}, threads);
}
void GOMP_parallel_end() { teff::destroy(static_cast<gomp::started_region*>(end_region(this_place()))); }
}
