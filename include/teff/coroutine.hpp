// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coroutines on the workers: a type of tasks that are coroutines, with when_all() and sync_wait(); an awaitable that
// moves any coroutine to the workers; and an executor for callbacks of other libraries.
//
//   teff::task<long> fib(int n) {
//       if (n < 2)
//           co_return n;
//       auto [left, right] = co_await teff::when_all(fib(n - 1), fib(n - 2));
//       co_return left + right;
//   }
//   const long sum = teff::sync_wait(fib(20));
//
// A task is lazy: it begins when it is awaited. It runs on the awaiting thread, without a call on top of the stack, so
// chains of any length use no stack, with every compiler and every level of optimisation. The tasks of when_all() may
// run at the same time, on the threads of the team that the calling thread is in (arena.hpp says how to choose one).
// What a task adds to ordered reducers is lost where another thread runs it; use a reducer. coroutines/ has the parts:
// run_loop.hpp, task.hpp, when_all.hpp, sync_wait.hpp.
//
// The awaitable works with coroutines of any type:
//
//   fire_and_forget piece(teff::task_group& group) {
//       co_await teff::schedule(group);
//       ...                                   // runs on some worker from here on
//   }
//   teff::task_group group;
//   piece(group);
//   group.wait();                             // returns when the coroutine has ended or awaits something else
//
// Where a coroutine resumes: co_await schedule() makes the rest of the coroutine, up to its next suspension, a task
// like those of task_group::run(). It runs on a worker, or on a thread of the program that waits in this library; in
// both cases on that thread's own stack, on top of the calls that wait there. Where run() would call a task at once
// (task_group.hpp), the coroutine continues on the current thread without a suspension. So schedule() is not a yield.
// It allocates no memory.
//
// Not provided: senders and receivers, timers. Between suspensions a coroutine may
// use everything else in this library. It must not suspend inside fork_join(), nor while it holds a lock that it
// means to keep across the suspension.
#pragma once

#include <teff/frontends/fork_join/coroutines/sync_wait.hpp>
#include <teff/frontends/fork_join/coroutines/task.hpp>
#include <teff/frontends/fork_join/coroutines/when_all.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/group_task.hpp>
#include <teff/frontends/fork_join/job.hpp>
#include <teff/frontends/fork_join/task_marks.hpp>
#include <teff/frontends/fork_join/views.hpp>
#include <teff/task_group.hpp>

#include <coroutine>
#include <utility>

namespace teff {

// The result of schedule(). It lives in the coroutine's frame while the coroutine is suspended.
class schedule_awaitable : task_header {
public:
    // schedule() makes it. The group must outlive the task.
    explicit schedule_awaitable(task_group& group) noexcept : task_header(&resume), group_(group) {}

    // Called by co_await: whether to run or to suspend is decided by await_suspend().
    static constexpr bool await_ready() noexcept { return false; }
    // Returns false if the coroutine is to continue here. Throws stack_exhausted, stopped, or what starting a team
    // throws.
    bool await_suspend(std::coroutine_handle<> suspended) {
        suspended_ = suspended;
        // As soon as submit() publishes this object, another thread may resume the coroutine and destroy it.
        return !forking::is_plain() && group_.state().wants_task() && group_.state().submit(*this);
    }
    // Throws stopped if the enclosing call of execute() was asked to stop.
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
            const inherited_enclosing around(std::move(mine.around_));
            const forking::counted_task counted(group, *around);
            forking::own_views own(counted.around());
            mine.suspended_.resume();
            group.keep(own.take());
        }
        group.end_one();
    }

    task_group& group_;
    inherited_enclosing around_;
    std::coroutine_handle<> suspended_;
    bool is_cancelled_ = false;
};

// For co_await: moves the coroutine to the workers, as a task of the group. An exception of the coroutine goes to its
// promise, not to the group. A cancelled group still resumes the coroutine, which can ask is_canceling(). Any thread.
[[nodiscard]] inline schedule_awaitable schedule(task_group& group) noexcept { return schedule_awaitable(group); }

// Runs callbacks as tasks of a group, for libraries that take an executor. Copyable, comparable, with execute(f).
class executor {
public:
    // The group must outlive the executor, and is waited for by its owner.
    explicit executor(task_group& group) noexcept : group_(&group) {}

    // Like task_group::run(): an exception of `f` is rethrown by the group's wait(). Any thread.
    template <class F>
    void execute(F&& f) const {
        group_->run(std::forward<F>(f));
    }
    // For co_await: as teff::schedule(), with the executor's group.
    [[nodiscard]] schedule_awaitable schedule() const noexcept { return schedule_awaitable(*group_); }

    // Whether both have the same group.
    friend bool operator==(const executor&, const executor&) = default;

private:
    task_group* group_;
};

}  // namespace teff
