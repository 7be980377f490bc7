// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for parallel regions.
#include <teff/frontends/openmp/gomp/outlined_region.hpp>

using namespace teff::openmp;

extern "C" void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned flags) {
    gomp::outlined_region region{function, data};
    run_region(this_place(), gomp::clauses_of(threads, flags), &gomp::outlined_region::run, &region);
}
