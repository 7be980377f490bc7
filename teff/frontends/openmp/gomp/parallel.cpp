// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for parallel regions.
#include <teff/frontends/openmp/core/region.hpp>

namespace teff::openmp::gomp {
namespace {

struct outlined_region {
    void (*function)(void*);
    void* data;

    static void run(place&, void* self) {
        const auto& region = *static_cast<const outlined_region*>(self);
        region.function(region.data);
    }
};

// threads: 0 by default, 1 also for if(false). The low bits of `flags` are the proc_bind clause.
region_clauses clauses_of(unsigned threads, unsigned flags) noexcept {
    const unsigned bind = flags & 7;
    return {.threads = threads, .is_serial = threads == 1, .has_bind = bind != 0, .bind = static_cast<binding>(bind)};
}

}  // namespace
}  // namespace teff::openmp::gomp

using namespace teff::openmp;

extern "C" void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned flags) {
    gomp::outlined_region region{function, data};
    run_region(this_place(), gomp::clauses_of(threads, flags), &gomp::outlined_region::run, &region);
}
