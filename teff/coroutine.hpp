// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coroutines and callbacks of other libraries on the workers: an awaitable that moves a coroutine to them, and an
// executor.
//
//   fire_and_forget piece(teff::task_group& group) {
//       co_await teff::schedule(group);
//       ...                                   // on some worker from here on
//   }
//   teff::task_group group;
//   piece(group);
//   group.wait();                             // returns when the coroutine has ended, or waits for something else
//
// Where it resumes. co_await schedule() makes the rest of the coroutine, up to the next suspension, a task like those
// of task_group::run(): it runs on a worker, or on a thread of the program that waits in this library, on that thread's
// own stack, above what waits there. If a task would be called at once (task_group.hpp), the coroutine goes on without
// a suspension, where it is. So schedule() is no yield, and takes no memory.
//
// What is not here: types of coroutines (any will do), senders and receivers, timers. Between suspensions a coroutine
// may use everything else in this library. It must not be suspended while it is inside of fork_join() or of a lock
// that it means to hold beyond.
#pragma once

#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/group_task.hpp>
#include <teff/frontends/fork_join/job.hpp>
#include <teff/frontends/fork_join/views.hpp>
#include <teff/task_group.hpp>

#include <coroutine>
#include <utility>

namespace teff {

// What schedule() returns. It lives in the coroutine's frame while that is suspended.
class schedule_awaitable : task_header {
public:
    explicit schedule_awaitable(task_group& group) noexcept : task_header(&resume), group_(group) {}

    static constexpr bool await_ready() noexcept { return false; }
    // False: goes on where it is. Throws stack_exhausted, stopped, or what the start of a team throws.
    bool await_suspend(std::coroutine_handle<> suspended) {
        suspended_ = suspended;
        // From submit() on another thread may have resumed the coroutine, and this object be gone.
        return !forking::is_plain() && group_.state().wants_task() && group_.state().submit(*this);
    }
    // Throws stopped if the call of execute() around it was asked to stop.
    void await_resume() const {
        if (is_cancelled_)
            forking::throw_stopped();
    }

private:
    static void resume(task_header& self) noexcept {
        auto& mine = static_cast<schedule_awaitable&>(self);
        mine.is_cancelled_ = forking::is_team_stopping();
        forking::group_state& group = mine.group_.state();
        {
            forking::own_views own;
            mine.suspended_.resume();
            group.keep(own.take());
        }
        group.end_one();
    }

    task_group& group_;
    std::coroutine_handle<> suspended_;
    bool is_cancelled_ = false;
};

// To be awaited: moves the coroutine to the workers, as a task of the group. What escapes the coroutine is its
// promise's. A cancelled group resumes it all the same; ask is_canceling(). Any thread.
[[nodiscard]] inline schedule_awaitable schedule(task_group& group) noexcept { return schedule_awaitable(group); }

// Runs callbacks as tasks of a group, for libraries that take an executor: copyable, comparable, with execute(f).
class executor {
public:
    explicit executor(task_group& group) noexcept : group_(&group) {}

    // As task_group::run(). What `f` throws reaches the group's wait().
    template <class F>
    void execute(F&& f) const {
        group_->run(std::forward<F>(f));
    }
    [[nodiscard]] schedule_awaitable schedule() const noexcept { return schedule_awaitable(*group_); }

    friend bool operator==(const executor&, const executor&) = default;

private:
    task_group* group_;
};

}  // namespace teff
