// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A parallel region as GCC's code passes it: a function and its data, a number of threads, and flags.
#pragma once

#include <teff/frontends/openmp/core/regions/region.hpp>

namespace teff::openmp::gomp {

struct outlined_region {
    void (*function)(void*);
    void* data;

    static void run(place&, void* self) {
        const auto& region = *static_cast<const outlined_region*>(self);
        region.function(region.data);
    }
};

// threads: 0 by default, 1 also for if(false). The low bits of `flags` are the proc_bind clause.
inline region_clauses clauses_of(unsigned threads, unsigned flags) noexcept {
    const unsigned bind = flags & 7;
    return {.threads = threads, .is_serial = threads == 1, .has_bind = bind != 0, .bind = static_cast<binding>(bind)};
}

}  // namespace teff::openmp::gomp
