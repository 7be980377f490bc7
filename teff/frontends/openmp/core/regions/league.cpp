// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of teams, and their initial regions.
#include <teff/frontends/openmp/core/regions/league.hpp>

namespace teff::openmp {

unsigned size_of_league(const teams_clauses& clauses) noexcept {
    if (clauses.most != 0)
        return clauses.most;
    // relaxed: see device_icvs.
    const int usual = device().teams.load(std::memory_order_relaxed);
    const unsigned teams = usual > 0 ? static_cast<unsigned>(usual) : 1;
    return teams < clauses.least ? clauses.least : teams;
}

place& enter_team(place& opener, unsigned limit, const place_in_league& league) noexcept {
    if (limit == 0)
        // relaxed: see device_icvs. 0: no limit of its own.
        limit = static_cast<unsigned>(device().teams_thread_limit.load(std::memory_order_relaxed));
    return enter_initial_region(opener, limit, league);
}

void run_teams(place& opener, const teams_clauses& clauses, region_body body, void* argument) noexcept {
    const unsigned size = size_of_league(clauses);
    for (unsigned number = 0; number < size; ++number) {
        place& mine = enter_team(opener, clauses.thread_limit, {number, size});
        body(mine, argument);
        leave_serial_region(mine);
    }
}

}  // namespace teff::openmp
