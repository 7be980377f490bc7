// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A group of tasks: functions that are handed over one by one, from anywhere, and waited for together.
//
//   teff::task_group group;
//   for (node* each : roots)
//       group.run([each] { visit(each); });
//   group.wait();
//
// run() may call the function itself before it returns: while no worker is idle and enough tasks are at hand, a task
// costs what a call does. So do not call run() while holding a lock that the function takes. Use fork_join() where it
// fits: it is cheaper, because it needs no memory.
//
// Several threads may use a group at once, and tasks may add tasks to their own group. A task may safely wait for tasks
// that it has handed over itself, and for those that they have handed over. If it waits for any other tasks, by wait()
// or by other means, it may wait forever: a waiting thread runs other tasks, and one of them may wait for the function
// below it on the same stack. fork_join.hpp says what a waiting thread runs, and how deep a stack gets. A wait for a
// group also takes the thread's own tasks, at any stack depth, with one exception: once the stack is used up, it leaves
// them to other threads while a worker is idle and each of the tasks is where that worker can take it.
//
// A thread may hand over tasks and then compute for long, block or poll instead of calling wait(). With the scheduler
// `demand`, where a processor is free, an idle worker obtains each of these tasks within 100 us (median). Schedulers
// that deal tasks out (xqueue_*, nemesis, fifo among its shepherds) bind each task to one member, so no worker takes
// the tasks that were dealt to the blocked thread, unless the option `rescue` is on.
#pragma once

#include <teff/base/fits.hpp>
#include <teff/frontends/fork_join/execute.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/group_task.hpp>

#include <exception>
#include <functional>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace teff {

// How a group ended. complete: each task was called. canceled: the group was asked to stop, so some tasks may not have
// been called.
enum class task_group_status { complete, canceled };

// A group of tasks. Several threads may use it at once.
class task_group {
public:
    // Has no tasks yet.
    task_group() = default;
    // A stop request cancels the group permanently.
    explicit task_group(std::stop_token stop) : stop_(std::move(stop)) {}
    // Waits for the tasks. An exception that no wait() has rethrown is lost.
    ~task_group() { state_.end(); }
    // Waits for the tasks of `other`, as its wait() does, and takes the stop token and their exception, which the next
    // wait() rethrows. Then `other` is like a new group. No other thread may use `other` meanwhile, and none of the
    // group's own tasks may move it.
    task_group(task_group&& other) noexcept = default;
    // The same, after it has waited for the tasks of this group, as the destructor does.
    task_group& operator=(task_group&& other) noexcept = default;

    // Calls a copy of `f`, or an object moved from it, once: now or later, on this thread or another one, unless the
    // group is cancelled first. wait() rethrows an exception of `f`. Any thread; the group must not be destroyed before
    // this call returns. Throws what copying or moving `f` throws, std::bad_alloc, stack_exhausted or stopped; then `f`
    // is not called.
    template <class F>
    void run(F&& f) {
        constexpr bool is_callable = fits::can_be_called_later<F>;
        constexpr bool can_be_kept = fits::can_be_kept<F>;
        if constexpr (!is_callable)
            static_assert(is_callable, "teff: the function given to task_group::run() must be callable without "
                                       "arguments, as in group.run([&] { work(); })");
        else if constexpr (!can_be_kept)
            static_assert(can_be_kept, "teff: the function given to task_group::run() cannot be copied; pass "
                                       "std::move(f), or std::ref(f) to call it in place");
        else
            forking::hand_over_or_call(*this, std::forward<F>(f));
    }
    // Calls `f` on this thread, as one of the tasks, and then calls wait().
    template <class F>
    task_group_status run_and_wait(F&& f) {
        constexpr bool is_callable = std::is_invocable_v<F&>;
        if constexpr (!is_callable)
            static_assert(is_callable, "teff: the function given to task_group::run_and_wait() must be callable "
                                       "without arguments, as in group.run_and_wait([&] { work(); })");
        else
            run_marked(f);
        return wait();
    }

    // Returns when all tasks have ended, including tasks that were added meanwhile. Then the group may be used again.
    // Throws the first exception of a task in time; tasks that had not begun by then were not called. If several
    // threads wait, one of them gets the exception. Must not be called by one of the group's own tasks, which ends the
    // program with a message; otherwise any thread may call it.
    task_group_status wait() {
        state_.wait();
        const bool was_stopped = state_.finish();
        return was_stopped || stop_.stop_requested() ? task_group_status::canceled : task_group_status::complete;
    }

    // From now until the next wait() returns, tasks that have not begun are not called. Any thread.
    void cancel() noexcept { state_.stop(); }
    // Whether the group is cancelled, so that running tasks may give up. Any thread.
    bool is_canceling() const noexcept { return state_.is_stopped() || stop_.stop_requested(); }

    // For run(): the state of the group, and a call of `f` as one of the tasks.
    forking::group_state& state() noexcept { return state_; }
    // Calls `f` here as one of the tasks, unless the group is cancelled. wait() throws its exception.
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
    template <class F>
    void run_marked(F& f) noexcept {
        const forking::called_task called(state_);
        run_here(f);
    }

    forking::group_state state_;
    std::stop_token stop_;
};

}  // namespace teff
