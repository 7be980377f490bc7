// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a thread becomes a member of a task team: for the duration of a scope, as the caller of a team for a single call
// with options of its own, or in its session, a team of its own that is made when the thread first needs one.
//
// All functions act on the calling thread.
#pragma once

#include <teff/strand/running_strand.hpp>

#include <utility>

namespace teff {

class task_team;

// The constructor installs `self` as the calling thread's member, with a new strand nested in the running one; the
// destructor undoes that. Both set the thread's own request flag once, since the thread may have missed requests while
// it worked as another member.
class member_scope {
public:
    explicit member_scope(task_member& self) noexcept;
    ~member_scope();
    member_scope(const member_scope&) = delete;
    member_scope& operator=(const member_scope&) = delete;

    task_member& self() const noexcept { return self_; }
    // The thread's next scope outwards; nullptr: none.
    const member_scope* outer() const noexcept { return outer_scope_; }

    // The calling thread's member of this team, even if the thread has joined other teams since; nullptr: none.
    // is_innermost: whether it works as this member now.
    static task_member* find(const task_team& team, bool& is_innermost) noexcept;

private:
    strand& outer_;
    strand inner_;
    task_member& self_;
    task_member* const outer_member_;
    const member_scope* const outer_scope_;
};

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
