// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared state of a group of tasks: the number of unfinished tasks, the first exception of a task, whether the
// group was stopped (tasks that have not begun are then not called), and the tasks' views of ordered reducers.
//
//                submit   keep, end_one   stop, fail   wait, finish   safe together?
//   submit         yes          yes           yes           yes       a concurrent wait may or may not include the task
//   keep, end_one               yes           yes           yes       once per accepted task, as its last use
//   stop, fail                                yes           yes
//   wait, finish                                            yes       any threads; then the group may be destroyed
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/frontends/fork_join/job.hpp>
#include <teff/frontends/fork_join/views.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/task/task_header.hpp>
#include <teff/team/count_latch.hpp>

#include <exception>

namespace teff::forking {

class group_state {
public:
    group_state() noexcept {}
    ~group_state() {
        // relaxed: all tasks have ended.
        if (view* const left = views_.load(std::memory_order_relaxed); left != nullptr) [[unlikely]]
            drop_views(left);
    }
    // Waits for the tasks of `other`, and takes what its next finish() would give. No other thread may use `other`.
    group_state(group_state&& other) noexcept { take(other); }
    group_state& operator=(group_state&& other) noexcept {
        if (this != &other) {
            end();
            take(other);
        }
        return *this;
    }

    // Identifies the strand that has made the group.
    const strand* home() const noexcept { return home_; }

    void end_one() noexcept { end_some(1); }
    void end_some(unsigned tasks) noexcept { count_.count_down(tasks); }
    bool is_over() const noexcept { return count_.is_over(); }

    // Tasks that have not begun are not called any more, until the next finish().
    // relaxed: a hint for the threads that begin tasks.
    void stop() noexcept { events_.fetch_or(stopped, std::memory_order_relaxed); }
    bool is_stopped() const noexcept {
        // relaxed: as above.
        return (events_.load(std::memory_order_relaxed) & stopped) != 0;
    }
    // Keeps the first error and stops the group; later errors are dropped. Also called for functions that run() calls
    // at once. These are not counted, so a wait on another thread does not wait for them.
    void fail(std::exception_ptr error) noexcept;
    // Takes a task's views of ordered reducers. Call before its end_one().
    void keep(view* left) noexcept {
        if (left != nullptr)
            keep_views(left);
    }
    // Call after wait(). Appends the tasks' views to those of the running strand, resets the group so that it can be
    // used again, and throws the first error; if several threads wait, only one of them gets it. Otherwise returns
    // whether the group was stopped. If appending throws, that exception is thrown, and the error stays in the group.
    bool finish() {
        // relaxed: the acquire in is_over() has ordered it.
        return (events_.load(std::memory_order_relaxed) != 0 ||
                views_.load(std::memory_order_relaxed) != nullptr) &&
               finish_unusual();
    }
    // For the group's destructor: waits; errors are lost.
    void end() noexcept {
        wait();
        try {
            finish();
        } catch (...) {
            // No caller is left to receive the error.
        }
    }

    // Whether to submit the next task; if not, the caller runs it itself. Throws stack_exhausted, stopped, or what the
    // start of a team throws. counted_ahead: how many tasks the group counts that do not exist yet.
    bool wants_task(unsigned counted_ahead = 0);
    // Call after wants_task() has returned true. Pushes a task to the calling thread's team. The task's run() must not
    // use the task any more when it calls end_one(). False: refused; the task still belongs to the caller.
    bool submit(task_header& made) noexcept;
    // Whether the calling thread has a team, in which it can queue tasks. Throws as wants_task().
    bool has_team();
    // The same, and whether another thread may come to take a task.
    bool has_other_threads();
    // Call after one of these has returned true. As submit(), and never refused.
    void queue(task_header& made) noexcept;
    // Counts a task that becomes ready later. It must then be pushed by share_counted(), or run, and call end_one().
    // The group's thread, or a task that the group counts. begin(): the same for several tasks; end_some() takes back
    // those that are not made.
    void begin_one() noexcept { begin(1); }
    void begin(unsigned tasks) noexcept;
    unsigned size() const noexcept { return count_.size(); }

    // Called by a task that its group does not count: the next wait checks whether the task itself calls it.
    // relaxed: only the calling thread's own wait needs to see it.
    void check_next_wait() noexcept { has_submitted_.store(true, std::memory_order_relaxed); }

    // Returns when all tasks have ended; the calling thread runs tasks of its team while it waits. Ends the program
    // with a message if the group's own task calls it.
    void wait() noexcept {
        if (has_to_wait()) [[unlikely]]
            wait_for_end();
    }
    // The same without this check, which walks through all enclosing tasks. Only for code that is in no task of the
    // group.
    void wait_outside_of_tasks() noexcept {
        if (has_to_wait()) [[unlikely]]
            wait_unchecked();
    }

private:
    // relaxed: a wait that misses the store only leaves end_wait() to the next wait.
    bool has_to_wait() const noexcept { return !is_over() || has_submitted_.load(std::memory_order_relaxed); }
    void take(group_state& other) noexcept;
    bool finish_unusual();
    void keep_views(view* left) noexcept;
    void wait_for_end() noexcept;
    void wait_unchecked() noexcept;
    void wait_in_team() noexcept;
    void end_wait() noexcept;
    void end_if_orphaned() const noexcept;
    void require_outside_of_tasks() const noexcept;

    count_latch count_;
    static constexpr unsigned stopped = 1;
    static constexpr unsigned failing = 2;  // the thread that has set this bit owns error_
    static constexpr unsigned failed = 4;   // error_ holds an error

    atomic<unsigned> events_{0};
    const strand* home_ = running_strand().home;  // of the strand that made the group
    // The process's generation (pool.hpp) when a task was last submitted. In the child of a fork() it differs: the
    // tasks of the parent process do not run there.
    atomic<unsigned> generation_{0};
    atomic<bool> has_submitted_{false};  // whether a task was submitted since the last wait
    atomic<view*> views_{nullptr};
    std::exception_ptr error_;
};

// Returns when the latch counts zero; the calling thread waits as for a group, in which it has submitted tasks.
void wait_for_end(count_latch& awaited) noexcept;

// Pushes a ready task, which a group counts (begin_one), to the calling thread's team; siblings: how many tasks the
// group has. False: refused; the caller must run it.
bool share_counted(task_header& ready, unsigned siblings) noexcept;

}  // namespace teff::forking
