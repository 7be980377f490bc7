// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parallel regions (OpenMP 5.1, section 2.6) and leagues of teams (section 2.7). A region of several threads is a
// region of a fixed team of tasks (team/region.hpp), whose barriers run tasks. A region of one thread is a call. The
// teams of a league run one after the other on the thread that encounters the construct, since no team may wait for
// another one; each of them has all threads for the parallel regions inside.
#pragma once

#include <teff/frontends/openmp/core/iterations/iterations.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

namespace teff::openmp {

using region_body = void (*)(place& caller, void* argument);

// Calls `body(place, argument)` on each thread of a new team and returns after the barrier at its end. The object that
// `argument` points to begins with the address of the user's function, by which the trace names the region.
void run_region(place& opener, const region_clauses& clauses, region_body body, void* argument) noexcept;

// The two halves of run_region(), for a caller that runs the body itself in between: begin_region() calls it on all
// other threads, and returns the calling thread's place. The argument lives until end_region(), which returns it.
place& begin_region(place& opener, const region_clauses& clauses, region_body body, void* argument) noexcept;
void* end_region(place& caller) noexcept;

// For compilers that call the body of a serial region themselves: the calling thread enters a team of its own, and
// leaves it again. Returns the thread's place in this team.
place& enter_serial_region(place& opener, const region_clauses& clauses) noexcept;
void leave_serial_region(place& caller) noexcept;
// The same for a target region on the host, and for a team of a league: the task is an initial one, as if the thread
// were outside all parallel regions. thread_limit: the new environment's thread-limit-var; 0 keeps its value.
place& enter_initial_region(place& opener, unsigned thread_limit, const place_in_league& league) noexcept;

// The number of threads that a region would get without an `if` clause.
unsigned size_of_region(const place& opener, unsigned requested) noexcept;

// The barrier construct, on a place of a region. True: the region is cancelled, and the thread goes to the region's
// end.
bool wait_at_barrier(place& caller) noexcept;

// The number of teams that a teams construct gets.
unsigned size_of_league(const teams_clauses& clauses) noexcept;

// The calling thread enters a team of a league, and leaves it. limit: the thread_limit clause.
place& enter_team(place& opener, unsigned limit, const place_in_league& league) noexcept;
void leave_team(place& caller) noexcept;

// Calls `body(place, argument)` for each team of a league.
void run_teams(place& opener, const teams_clauses& clauses, region_body body, void* argument) noexcept;

// The part of the calling thread's team in a loop with `distribute`.
inline part_of_team part_of_league(const place& caller) noexcept {
    const place_in_league& mine = caller.in->league;
    return {mine.number, mine.size};
}

}  // namespace teff::openmp
