// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions: a function that N threads call at the same time, with numbers of their own, as members of a fixed team of
// tasks. What they queue is run by them alone, and no member may be missing, so they may wait for each other.
//
// The team stays after the region, for the next one of the calling thread: its workers wait at the dock (dock.hpp), so
// that a thread keeps its number, forming the team again takes no mutex, and for a while (spin_us) no system call. A
// smaller region is run by the first members of it. Docked workers are in nobody else's teams; the pool starts others
// instead. A region inside of another one has a team of its own, which ends with it.
//
// All functions may be called from any thread.
#pragma once

#include <teff/runtime/team_options.hpp>

namespace teff {

using region_function = void (*)(void* argument, unsigned member, unsigned size) noexcept;

// Calls `body(argument, member, size)` on how.settings.slots threads (1..4096), the calling one as member 0, and
// returns when all calls have ended and all tasks that they have made have run. Returns the size: fewer only if
// threads could not be started. Throws std::bad_alloc, with nothing called.
unsigned run_region(const team_options& how, region_function body, void* argument);
// The same with the options of the TEFF_* variables, on so many threads.
unsigned run_region(unsigned threads, region_function body, void* argument);

// Called by a member in its region, not inside of a task. Returns when all members have called it and all tasks that
// the team has made so far have run; the member runs some of them meanwhile. Outside of regions it returns at once.
void wait_at_barrier() noexcept;

}  // namespace teff
