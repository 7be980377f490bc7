// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A group of tasks: functions that are handed over, one by one, from anywhere, and waited for together.
//
//   teff::task_group group;
//   for (node* each : roots)
//       group.run([each] { visit(each); });
//   group.wait();
//
// run() may call the function itself, before it returns: when nobody is idle and there is enough to do, a task costs
// what a call does. Therefore hold no lock around run() that the function takes. Where fork_join() fits it is cheaper:
// it needs no memory.
//
// A group may be used by several threads at once, and tasks may add tasks to their own group. A task may wait for what
// it has handed over itself, or what that has. If it waits for others' tasks, by wait() or by other means, it may wait
// for ever: while a thread waits it runs other tasks, and one of them might wait for the function below it on its
// stack. What a wait runs, and how deep a stack becomes: see fork_join.hpp; it takes tasks of its own thread wherever
// it stands.
//
// A thread that has handed over tasks outside of any task, and then blocks or polls instead of wait(), relies on idle
// workers: with the scheduler `demand` and its like they take everything; of those that deal work out (xqueue_*,
// nemesis) nobody takes what lies at the blocked thread.
#pragma once

#include <teff/frontends/fork_join/execute.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/group_task.hpp>

#include <concepts>
#include <exception>
#include <functional>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace teff {

// What became of a group: each task was called, or it was asked to stop, so that some may not have been.
enum class task_group_status { complete, canceled };

class task_group {
public:
    task_group() = default;
    // A request to stop cancels the group, for good.
    explicit task_group(std::stop_token stop) : stop_(std::move(stop)) {}
    // Waits; what a task threw and no wait() has passed on is lost.
    ~task_group() { state_.end(); }
    task_group(const task_group&) = delete;
    task_group& operator=(const task_group&) = delete;

    // Calls a copy of `f`, or what it was moved to, once, at once or later, on this thread or another one, unless the
    // group is cancelled before. What it throws reaches wait(). Any thread; the group may not end before this returns.
    // Throws what copying or moving `f` throws, std::bad_alloc, stack_exhausted or stopped; then it is not called.
    template <forking::taskable F>
    void run(F&& f) {
        forking::hand_over_or_call(*this, std::forward<F>(f));
    }
    // Calls `f` on this thread, as one of the tasks, and then wait().
    template <std::invocable F>
    task_group_status run_and_wait(F&& f) {
        run_here(f);
        return wait();
    }

    // Returns when all tasks have ended, also those that were added meanwhile. Then the group may be used again. Throws
    // what a task threw, the first one in time; the tasks that had not begun by then were not called. If several
    // threads wait, one of them gets it. Not to be called by one of the group's own tasks. Any thread.
    task_group_status wait() {
        state_.wait();
        const bool was_stopped = state_.finish();
        return was_stopped || stop_.stop_requested() ? task_group_status::canceled : task_group_status::complete;
    }

    // Tasks that have not begun are not called any more; until the next wait() has returned. Any thread.
    void cancel() noexcept { state_.stop(); }
    // Whether running tasks may give up. Any thread.
    bool is_canceling() const noexcept { return state_.is_stopped() || stop_.stop_requested(); }

    // For run(): the state, and a call of `f` as one of the tasks.
    forking::group_state& state() noexcept { return state_; }
    template <class F>
    void run_here(F& f) noexcept {
        if (is_canceling()) {
            state_.stop();
            return;
        }
        try {
            std::invoke(f);
        } catch (...) {
            state_.fail(std::current_exception());
        }
    }

private:
    forking::group_state state_;
    std::stop_token stop_;
};

}  // namespace teff
