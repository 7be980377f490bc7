// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task teams that a thread makes: its session, a team of its own that is made when the thread first needs one, and
// teams for a single call, with options of their own.
//
// All functions act on the calling thread.
#pragma once

namespace teff {

struct options;
struct team_options;

// Makes the thread the caller of a team of its own, with the options of the TEFF_* variables. Has no effect if the
// thread is exiting. The team stays open until the thread exits, so that work at the outermost level costs as little as
// any other; idle workers look for work in it as in any other team. Throws what the start of a team throws.
void begin_session();
// The same for a team that is made of `options`.
void begin_session(const team_options& options);
// Waits until all work in the team of the thread's session has ended, and leaves the team, so that the next session can
// have other options. Has no effect on a thread that has no session, and inside of a task or of another team.
void end_session() noexcept;

// Both call `function(argument)` as the caller of a new team and pass on its exceptions. run_in_team() makes the team
// with these options, run_in_similar_team() with those of the team that the thread is in. Both throw stack_exhausted
// before anything else if the thread has too little stack.
void run_in_team(const options& call, void (*function)(void*), void* argument);
void run_in_similar_team(void (*function)(void*), void* argument);

}  // namespace teff
