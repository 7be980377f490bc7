// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The team in which forks run, and what each of its members does out of line: sharing jobs, waiting for those that
// others took, and running others' entries. Compiled once, in the library, for each scheduler.
//
// The scheduler holds entries: a job of a fork, by its address and how to run it. It moves them about and nothing else:
// an entry counts as run when it is taken, since the end of the work is known otherwise (the caller's function
// returns), and a member that waits runs entries inside each other.
#pragma once

#include <teff/frontends/fork_join/job.hpp>
#include <teff/runtime/launch.hpp>
#include <teff/runtime/team.hpp>

namespace teff::forking {

struct entry {
    job::function run;
    job* made;
};

// A thread in a team. Its calls are the thread's own.
class member {
public:
    // Somebody asked, or the scheduler wants every job: shares what there is to share. `made` is the youngest.
    virtual void answer(job& made) noexcept = 0;
    // The youngest job is not one any more.
    virtual void took_back() noexcept = 0;
    // Until `made`, which was shared, is done (false), or was taken back and is the caller's to run (true).
    virtual bool wait(job& made) noexcept = 0;

protected:
    member() = default;
    member(const member&) = delete;
    member& operator=(const member&) = delete;
    ~member() = default;
};

// In the library's own memory; a constructor may throw std::bad_alloc.
class fork_team : public team {
public:
    // Makes the calling thread the caller: opens the team and installs its member as current. Throws std::bad_alloc.
    virtual void enter_as_caller() = 0;
    // Undoes that: returns when everybody has left.
    virtual void leave_as_caller() noexcept = 0;
    virtual ~fork_team() = default;

protected:
    using team::team;
};

// Throws std::bad_alloc.
fork_team* make_fork_team(const launch& how);

}  // namespace teff::forking
