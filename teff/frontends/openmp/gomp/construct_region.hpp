// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A parallel region that consists of a loop or of sections. The region's function asks for its first chunk by the
// construct's `next`, so each thread begins the construct before it calls the function.
#pragma once

#include <teff/frontends/openmp/gomp/loop_bounds.hpp>
#include <teff/frontends/openmp/gomp/outlined_region.hpp>

namespace teff::openmp::gomp {

using region_function = void (*)(void*);

struct construct_region {
    outlined_region call;
    // Begins the construct; nullptr: there is none.
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

inline construct_region region_of_loop(region_function function, void* data, long first, long end, long step,
                                       loop_schedule schedule, long chunk) noexcept {
    schedule.chunk = chunk_size(chunk);
    return {{function, data},
            [](place& caller, const construct_region& self) {
                begin(caller, self.first, self.end, self.step, self.how, false);
            },
            first, end, step, schedule};
}
// With the schedule that the environment says.
inline construct_region region_of_loop_at_run_time(region_function function, void* data, long first, long end,
                                                   long step, bool is_monotonic) noexcept {
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
inline construct_region region_of_sections(region_function function, void* data, unsigned count) noexcept {
    return {
        .call = {function, data},
        .begin_construct = [](place& caller, const construct_region& self) { begin_sections(caller, self.sections); },
        .sections = count};
}

}  // namespace teff::openmp::gomp
