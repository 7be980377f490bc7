// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leagues of teams on the host (OpenMP 5.1, section 2.7). The teams run one after the other on the thread that meets
// the construct, since no team may wait for another one; each of them has all threads for the parallel regions inside.
#pragma once

#include <teff/frontends/openmp/core/iterations/static_bounds.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

namespace teff::openmp {

// The number of teams.
unsigned size_of_league(const teams_clauses& clauses) noexcept;

// The calling thread enters a team of a league; leave_serial_region() leaves it. limit: the thread_limit clause.
place& enter_team(place& opener, unsigned limit, const place_in_league& league) noexcept;

// Calls `body(place, argument)` for each team of a league.
void run_teams(place& opener, const teams_clauses& clauses, region_body body, void* argument) noexcept;

// The team's part in a loop with `distribute`.
inline part_of_team part_of_league(const place& caller) noexcept {
    const place_in_league& mine = caller.in->league;
    return {mine.number, mine.size};
}

}  // namespace teff::openmp
