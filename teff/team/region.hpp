// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions: N threads call one function at the same time, each with a number of its own, as the members of a fixed task
// team. Only the members run the tasks that they queue, and all N of them take part, so they may wait for each other.
//
// The team is kept after the region, for the next one of the calling thread that has the same options and needs no more
// threads. Its workers wait at the dock (dock.hpp).
// So a thread keeps its number, and starting the next region takes no mutex and, for a while (spin_us), no system call.
// A smaller region is run by the first members. Workers at the dock join no other team; the pool starts others instead.
// A region inside another region, or inside a task, has a team of its own. A thread keeps one of these, too.
//
// Any thread may call any function.
#pragma once

#include <teff/team/team_options.hpp>

namespace teff {

using region_function = void (*)(void* argument, unsigned member, unsigned size) noexcept;

// Calls `body(argument, member, size)` on options.settings.slots threads (1..4096), the calling one as member 0, and
// returns when all calls have ended and all tasks that they have made have run. Returns the size, which is smaller only
// if threads could not be started. Throws std::bad_alloc before any call of `body`.
unsigned run_region(const team_options& options, region_function body, void* argument);
// The same for callers that always pass the same object, which never changes: the kept team is recognised by its
// address. The region has `threads` threads, whatever constant.settings.slots says.
unsigned run_region_with(const team_options& constant, unsigned threads, region_function body, void* argument);
// The same with the options of the TEFF_* variables, on `threads` threads.
unsigned run_region(unsigned threads, region_function body, void* argument);

// The two halves of run_region_with(), for a caller that does its own part of the region between them, as member 0:
// `body` is called on the other members. The thread that has begun a region ends it, before any region around it.
unsigned begin_region_with(const team_options& constant, unsigned threads, region_function body, void* argument);
void end_region() noexcept;

// Ends the teams that the calling thread keeps for its next regions, except for one in use, so that their workers are
// free.
void end_kept_teams() noexcept;

// Called by a member in its region, not inside a task. Returns when all members have called it and all tasks that the
// team has made so far have run; the member runs some of them meanwhile. Outside of regions it returns at once.
void wait_at_barrier() noexcept;

// The same in a region that may be cancelled: all its members call this function instead. True: the region is
// cancelled, and the caller has not waited for the others.
bool wait_at_cancellable_barrier() noexcept;
// Called by a member in its region, which then calls neither function any more. Members that wait at a cancellable
// barrier go on, and no member waits at one until the region ends.
void cancel_region() noexcept;

}  // namespace teff
