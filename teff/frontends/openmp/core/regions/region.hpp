// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parallel regions (OpenMP 5.1, section 2.6). A region of several threads is a region of a fixed team of tasks
// (team/region.hpp), whose barriers run tasks. A region of one thread is a call.
#pragma once

#include <teff/frontends/openmp/core/teams/clauses.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>

namespace teff::openmp {

struct place_in_league;

using region_body = void (*)(place& caller, void* argument);

// Calls `body(place, argument)` on each thread of a new team and returns after the barrier at its end. The object that
// `argument` points to begins with the address of the user's function, by which the trace names the region.
void run_region(place& opener, const region_clauses& clauses, region_body body, void* argument) noexcept;

// The two halves of run_region(), for a caller that runs the body itself in between: begin_region() calls it on all
// other threads, and returns the calling thread's place. The argument lives until end_region(), which returns it.
place& begin_region(place& opener, const region_clauses& clauses, region_body body, void* argument) noexcept;
void* end_region(place& caller) noexcept;

// For compilers that call the body of a serial region themselves: the calling thread enters a team of its own, and
// leaves it again. Returns its place in it.
place& enter_serial_region(place& opener, const region_clauses& clauses) noexcept;
void leave_serial_region(place& caller) noexcept;
// The same for a target region on the host, and for a team of a league: its task is an initial one, as if the thread
// were outside of all parallel regions. thread_limit: of its environment; 0: as it is.
place& enter_initial_region(place& opener, unsigned thread_limit, const place_in_league& league) noexcept;

// The number of threads that a region would get, without regard to an `if` clause.
unsigned size_of_region(const place& opener, unsigned requested) noexcept;

// The barrier construct, on a place of a region. True: the region is cancelled, and the thread goes to its end.
bool wait_at_barrier(place& caller) noexcept;

}  // namespace teff::openmp
