// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The teams and places that threads keep from region to region: how they are made, set up for a region, and given back.
//
// A place keeps the team of the last region that was opened there, with the places of its members. While a region runs
// in it, a further one cannot begin on the same place.
//
//   opener    team_for ...................... give_places_back     all members have passed the barrier at the end
//   member              take_place ... body
//
// A thread that is in no region has an initial place, in a team of one (make_initial_place(), teams/place.hpp), until
// the thread ends.
#pragma once

#include <teff/frontends/openmp/core/teams/team.hpp>

namespace teff::openmp {

// The team for a region of this size that `opener` opens, set up by the clauses.
team& team_for(place& opener, unsigned size, const region_clauses& clauses) noexcept;
// Also frees the teams of inner regions. Does nothing for nullptr.
void free_team(team* ended) noexcept;

// Called by the thread of the place, at the start and end of a region. parent: the parent of the implicit task.
void take_place(place& taken, team& in, unsigned number, unsigned size, task* parent) noexcept;
void give_place_back(place& left) noexcept;
// Called by the opener after a region of `size` threads.
void give_places_back(team& ended, unsigned size) noexcept;

// The number of the calling thread: 0 is the main thread; helper threads, the pool's workers and all others follow.
std::int32_t number_of_thread() noexcept;
// Called by a helper thread, before it first uses the runtime.
void take_number_of_helper(unsigned number) noexcept;

[[noreturn]] void end_without_memory_for_region() noexcept;

}  // namespace teff::openmp
