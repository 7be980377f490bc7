// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which team of tasks a thread works in that is no worker of one: a team of its own, which it gets when it first needs
// one, or a team with options of its own, for the time of a call.
//
// All calls are about the calling thread.
#pragma once

#include <teff/options.hpp>
#include <teff/runtime/task_team.hpp>

namespace teff {

// Makes the thread the caller of a team of its own, with the options of the TEFF_* variables, unless the thread is
// about to end. The team stays open until then, so that work at the outermost level costs what any other does; idle
// workers look at it as at any other team. Throws what the start of a team throws.
void begin_session();

// Calls `function(argument)` as the caller of a team with these options, or with those of the team that the thread is
// in; passes on what it throws.
void run_in_team(const options& call, void (*function)(void*), void* argument);
void run_in_team_alike(void (*function)(void*), void* argument);

}  // namespace teff
