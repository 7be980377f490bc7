// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Suspends a task until another thread calls a handle. This is one parking (parking.hpp), so the call may come before,
// during or after the wait. What the worker does meanwhile depends on where the task runs:
//
//   on a fiber            the fiber is suspended, and the worker runs other tasks. Any worker may continue the fiber.
//   on a worker's stack   the worker runs other tasks, each on a fiber of its own (run_on_fiber()). Once the handle was
//                         called, the worker continues the task as soon as the fiber that it runs ends or waits.
//   on another thread     the thread sleeps
//
// Why other tasks run on fibers: assume that task B ran directly on top of the suspended task A and was suspended, too.
// Then A could not continue before B ends. If B waits for an action of A, neither would continue; with one worker that
// happens at once. A task on a fiber is suspended wherever it waits, for a handle, a fork or a group, so nothing stays
// above A. A task below A on the worker's stack that waits for a fork or a group still continues only after A
// (fork_join.hpp and task_group.hpp say what may be waited for). The cost is a record, two switches, and a stack for
// each such task, from those that the thread keeps. A program that suspends nothing pays nothing.
//
// Rejected: suspending the worker's whole stack and giving the worker another one, as oneTBB does. The frames below the
// task belong to the worker, such as its member of the team. So only this thread could continue the stack, not an idle
// one.
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

// One suspension; lies on the stack of the suspended call.
class suspension {
public:
    // Returns after resume() or drop().
    void wait() noexcept;
    // After wait(): whether the handle was dropped.
    bool was_dropped() const noexcept { return was_dropped_; }

    // When one of these returns, this object may be gone.
    void resume() noexcept { here_.wake(); }
    void drop() noexcept {
        was_dropped_ = true;
        here_.wake();
    }

private:
    parking here_;
    bool was_dropped_ = false;  // the wake-up orders it
};

}  // namespace teff::threads
