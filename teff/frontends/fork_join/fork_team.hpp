// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The team in which forks run, and what each of its members does out of line: sharing jobs, waiting for those that
// others took, and running others' entries. Compiled once, in the library, for each scheduler.
//
// The scheduler holds entries: a job of a fork, by its address and how to run it, or a task of a group. It moves them
// about and nothing else: an entry counts as run when it is taken, since the end of the work is known otherwise (the
// caller's function returns), and a member that waits runs entries inside each other.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/job.hpp>
#include <teff/runtime/launch.hpp>
#include <teff/runtime/team.hpp>

#include <stop_token>

namespace teff::forking {

struct entry {
    job::function run;  // nullptr: a task, whose own `run` ends its life
    job* made;
};

// What a member waits for: none of `bits` is set in `word` any more. Who sets the last one to zero calls the team that
// ran it, or, of a group, those who watch it.
struct goal {
    const atomic<unsigned>& word;
    unsigned bits;
    awaited_count* watched = nullptr;

    bool is_reached() const noexcept {
        // acquire: sees what was done; partner: the release of who did it.
        return (word.load(std::memory_order_acquire) & bits) == 0;
    }
};

class fork_team;

// A thread in a team. Its calls are the thread's own.
class member {
public:
    virtual fork_team& team() noexcept = 0;
    // Somebody asked, or the scheduler wants every job: shares what there is to share. `made` is the youngest. False:
    // the team stops, and nothing was done.
    virtual bool answer(job& made) noexcept = 0;
    // Whether a job would be taken at once; also true where the first fork makes all others plain.
    virtual bool is_awaited() const noexcept = 0;
    // The youngest job is not one any more.
    virtual void took_back() noexcept = 0;
    // Until the goal is reached (false), or `made`, which was shared, was taken back and is the caller's to run (true).
    // nullptr: there is no such job.
    virtual bool wait(const goal& awaited, const job* made) noexcept = 0;
    // Whether it takes another task of a group that has so many: otherwise the caller runs it. The caller may have
    // nothing more to do with the group (visits), and need not come back.
    virtual bool wants_task(unsigned siblings, bool visits) noexcept = 0;
    // Takes a task. False: refused.
    virtual bool submit(job& made) noexcept = 0;
    // The thread goes elsewhere for a while: what it has is shown, or run.
    virtual void show_all() noexcept = 0;
    // Whether it is running an entry.
    virtual bool is_inside() const noexcept = 0;

protected:
    member() = default;
    member(const member&) = delete;
    member& operator=(const member&) = delete;
    ~member() = default;
};

// A constructor may throw std::bad_alloc.
class fork_team : public team, public deleted_through_base {
public:
    // Makes the calling thread the caller: opens the team and installs its member as current. Throws std::bad_alloc.
    virtual void enter_as_caller() = 0;
    // Undoes that: returns when everybody has left.
    virtual void leave_as_caller() noexcept = 0;
    virtual ~fork_team() = default;

    const launch& how() const noexcept { return how_; }
    const std::stop_token& stop() const noexcept { return stop_; }
    bool is_stopping() const noexcept {
        // relaxed: seen soon is enough; nothing is read through it.
        return stopping_.load(std::memory_order_relaxed);
    }
    // Any thread, while the team lives: no more is begun, and its forks throw.
    void begin_stop() noexcept {
        // relaxed: ordered by the fence in the request, before the members' marks are set.
        stopping_.store(true, std::memory_order_relaxed);
        request();
    }

protected:
    fork_team(const launch& how, const std::stop_token& stop)
        : team(how.settings.slots, how.spin_us, how.settings.counts), how_(how), stop_(stop) {}

private:
    const launch how_;
    const std::stop_token stop_;
    atomic<bool> stopping_{false};
};

// Throws std::bad_alloc.
fork_team* make_fork_team(const launch& how, const std::stop_token& stop);

// Before anything that needs a team: the calling thread knows its stack, and has a team (current.self) unless it is
// about to end, or inside of forks of an orphaned team. Throws stack_exhausted, or what the start of a team throws.
void attach();

// In the child of a fork(), instead of waiting for what its parent's threads may have begun: false, the goal is
// reached; true, nobody has begun `made`, so it is the caller's to run. Otherwise ends the process with a message.
bool is_left_to_child(const goal& awaited, const job* made) noexcept;

}  // namespace teff::forking
