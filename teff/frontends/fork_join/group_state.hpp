// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tasks of a group have in common: how many have not ended, the first thing that one of them threw, whether
// those that have not begun still shall, and what they have left for ordered reducers.
//
//                submit   keep, end_one   stop, fail   wait, finish   safe together?
//   submit         yes          yes           yes           yes       a wait that runs may or may not see it
//   keep, end_one               yes           yes           yes       once for each task that was taken; its last use
//   stop, fail                                yes           yes
//   wait, finish                                            yes       from any threads; then the group may be gone
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/frontends/fork_join/job.hpp>
#include <teff/frontends/fork_join/views.hpp>
#include <teff/runtime/count_latch.hpp>
#include <teff/runtime/running_strand.hpp>
#include <teff/task/task_header.hpp>

#include <exception>

namespace teff::forking {

class group_state {
public:
    // Tasks of a group that nobody asks for, from which on a further one runs at once.
    static constexpr unsigned plenty = 64;

    group_state() noexcept {}
    ~group_state() {
        // relaxed: all tasks have ended.
        if (view* const left = views_.load(std::memory_order_relaxed); left != nullptr) [[unlikely]]
            drop_views(left);
    }
    group_state(const group_state&) = delete;
    group_state& operator=(const group_state&) = delete;

    void end_one() noexcept { count_.count_down(); }
    bool is_over() const noexcept { return count_.is_over(); }

    // Tasks that have not begun are not begun any more, until the next finish().
    // relaxed: a hint for who begins one.
    void stop() noexcept { events_.fetch_or(stopped, std::memory_order_relaxed); }
    bool is_stopped() const noexcept {
        // relaxed: as above.
        return (events_.load(std::memory_order_relaxed) & stopped) != 0;
    }
    // Keeps the first error and stops the others; the later ones are dropped. Also by functions that run() calls at
    // once, which no wait of another thread waits for.
    void fail(std::exception_ptr error) noexcept;
    // What a task has left for ordered reducers, before its end_one().
    void keep(view* left) noexcept {
        if (left != nullptr)
            keep_views(left);
    }
    // After the end: of several waiters one gets the first error, thrown; the group is as new. Returns whether it was
    // stopped. What the tasks have left for ordered reducers is appended to the calling thread's strand first; what
    // that throws comes before the error.
    bool finish() {
        // relaxed: is_over() has ordered it.
        return (events_.load(std::memory_order_relaxed) != 0 ||
                views_.load(std::memory_order_relaxed) != nullptr) &&
               finish_unusual();
    }
    // The group's end: waits; errors are lost.
    void end() noexcept {
        wait();
        try {
            finish();
        } catch (...) {
            // Nobody is left who would want it.
        }
    }

    // Whether a task may be given to submit(); else the caller is to run it. Throws stack_exhausted, or what the start
    // of a team throws.
    bool wants_task();
    // Gives a task to the calling thread's team; its run() ends its life, and then calls end_one(). False: refused, and
    // still the caller's.
    bool submit(task_header& made) noexcept;

    // Returns when all tasks have ended; the calling thread runs tasks of its team meanwhile.
    void wait() noexcept {
        // relaxed: matters to home alone.
        if (!is_over() || is_counted_.load(std::memory_order_relaxed)) [[unlikely]]
            wait_for_end();
    }

private:
    bool finish_unusual();
    void keep_views(view* left) noexcept;
    void wait_for_end() noexcept;
    void uncount() noexcept;
    void end_if_orphaned() const noexcept;

    count_latch count_;
    static constexpr unsigned stopped = 1;
    static constexpr unsigned failing = 2;  // error_ belongs to who has set this bit
    static constexpr unsigned failed = 4;   // there is an error

    atomic<unsigned> events_{0};
    const strand* const home_ = running_strand().home;  // of the thread that made it
    // Of the process when a task was submitted: a child of fork() has none of its parent's.
    atomic<unsigned> generation_{0};
    atomic<bool> is_counted_{false};  // as one of home's `groups`; home's own
    atomic<view*> views_{nullptr};
    std::exception_ptr error_;
};

}  // namespace teff::forking
