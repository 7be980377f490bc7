// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task that waits until another thread calls a handle: one parking (parking.hpp), which takes a wake-up before,
// during or after the wait. What the worker does meanwhile depends on what the task runs on:
//
//   a fiber            it is left, and its worker goes on. It continues on any worker.
//   a worker's stack   its worker runs other tasks, each on the stack of a fiber of its own (run_on_fiber()), and
//                      continues the task when the handle was called and the present one of those ends or waits.
//   another thread     it sleeps
//
// Why other tasks run on fibers: one that ran on top of the suspended task and was suspended itself would bury it. If
// it waits for what the task below does once it is resumed, neither would go on; with one worker that happens at once.
// A task on a fiber is left where it waits, for a handle, a fork or a group, so nothing stays above the suspended one.
// A task that waits on a worker's stack for a fork or a group, and runs the suspended task on top, is below it all the
// same: it goes on after it (fork_join.hpp and task_group.hpp say what may be waited for). The cost: a record, two
// switches, and a stack for each such task, from those that the thread keeps. A program that suspends nothing pays
// nothing. Rejected: to leave the worker's stack as it is and to give the worker another one, as oneTBB does. All that
// lies below belongs to the worker, such as its member of the team; and only this thread may continue it, so another
// one that is idle could not.
//
//                       resume, drop       wait        safe together?
//   resume, drop     one of them, once      yes        any thread
//   wait                                     -         the thread that made it, once
#pragma once

#include <teff/frontends/threads/parking.hpp>

#include <stdexcept>

namespace teff {

// Thrown by suspend() if the handle was destroyed without a call, so that nothing can resume the task any more.
class resume_dropped : public std::runtime_error {
public:
    // Has a message of its own.
    resume_dropped();
};

}  // namespace teff

namespace teff::threads {

// On the stack of the call that is suspended.
class suspension {
public:
    // Returns after resume() or drop().
    void wait() noexcept;
    // After it: whether the handle was dropped.
    bool was_dropped() const noexcept { return was_dropped_; }

    // As soon as one of them has begun, this object may be gone when it returns.
    void resume() noexcept { here_.wake(); }
    void drop() noexcept {
        was_dropped_ = true;
        here_.wake();
    }

private:
    parking here_;
    bool was_dropped_ = false;  // the wake-up orders it
};

// Runs a task that the member has taken on the stack of a fiber; on top of the calling one if there is no memory for
// it.
void run_on_fiber(task_member& self, task_header& taken) noexcept;

}  // namespace teff::threads
