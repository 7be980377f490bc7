// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for teams constructs.
#include <teff/frontends/openmp/core/regions/league.hpp>
#include <teff/frontends/openmp/gomp/outlined_region.hpp>

using namespace teff::openmp;

extern "C" {

// On the host, outside of target regions.
void GOMP_teams_reg(void (*function)(void*), void* data, unsigned teams, unsigned thread_limit, unsigned) {
    gomp::outlined_region region{function, data};
    run_teams(this_place(), {.least = 0, .most = teams, .thread_limit = thread_limit}, &gomp::outlined_region::run,
              &region);
}

// Inside of a target region, whose code runs the construct's block as long as the result is true: for one team after
// the other. is_first: the first call of the construct.
bool GOMP_teams4(unsigned least, unsigned most, unsigned thread_limit, bool is_first) {
    place& caller = this_place();
    if (is_first) {
        const unsigned size = size_of_league({least, most, thread_limit});
        enter_team(caller, thread_limit, {0, size});
        return true;
    }
    const place_in_league last = caller.in->league;
    place& opener = *caller.in->opener;
    leave_serial_region(caller);
    if (last.number + 1 == last.size)
        return false;
    enter_team(opener, thread_limit, {last.number + 1, last.size});
    return true;
}
// The form of OpenMP 4.0: the target region's code goes on as the only team.
void GOMP_teams(unsigned, unsigned thread_limit) {
    if (thread_limit != 0)
        own_environment(this_place()).thread_limit = thread_limit;
}
}
