// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When is all work done? The end-of-work consensus of Blaze-Tasks, section 4.3.3.
//
// A member owns the tasks that were first enqueued in its queue. It is active while it owns unfinished tasks; one
// global counter holds the number of active members, and is touched only when a member changes sides. Each member has a
// counter of its tasks that were stolen and processed: who has finished a stolen task reports it there. So neither
// enqueuing nor running an own task writes anything shared.
//
// Differs from the paper: there an owner out of work compares the counter of its reports with the number of its stolen
// tasks again and again. Here it leaves the difference behind in the counter (the balance), and whoever brings it to
// zero makes the owner inactive. So an owner can sleep, or leave its slot to another thread, while its tasks run
// elsewhere, and the end is noticed by exactly one member, which wakes the others.
//
//   balance of an owner = reports - stolen tasks that it knows of  (+ working, while it works on own tasks)
//   activate(account)          owner, before its first push after settle() or the start
//   settle(account, stolen)    owner, after its queue was empty and it has run what it claimed; stolen: how many of its
//                              tasks were ever stolen
//   report(account, tasks)     a thief, after it has run (or made its own) so many tasks that it stole from this owner
// settle() and report() return true in the one call that ends the work.
//
// Why zero means the end. An activity is the time from activate() to the decrement that makes its owner inactive.
// (1) The decrement comes after all tasks enqueued during the activity were processed: the balance is zero only after
//     settle(), which knows of all stolen tasks, and after a report of each of them.
// (2) A member pushes only while it runs a task. If that is an own one, it is active. If it is a stolen one, its
//     activate() comes before the push and before the report to the victim, so its increment comes before the
//     decrement of the victim's activity in the counter's order.
// Suppose that the counter is zero at some point of its order and a task is unfinished. Its activity's decrement comes
// later (1), hence so does its increment, since all activities begun are ended at zero. By (2) the same holds for the
// activity of the victim whose task was running at activate(), and so on up to the activity of the first tasks, whose
// increment is the counter's first value: a contradiction. And once zero nobody runs a task, so it stays zero.
// A thief may also put stolen tasks into its own queue and report them: it owns them from then on. It is active before
// it does, and the report comes after, so (1) and (2) hold for a task under its new owner.
// Activating at the push, not at the theft, saves two writes for stolen tasks that have no children. Not later: a
// settled member whose new tasks were reported before activate() would have a balance of zero with older ones running.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>

#include <cstdint>

namespace teff {

class consensus {
public:
    class account {
    public:
        // Owner: whether it is between activate() and settle().
        bool is_open() const noexcept { return open_; }

    private:
        friend consensus;
        // owner alone
        std::uint64_t known_stolen_ = 0;
        bool open_ = false;
        // owner and thieves write
        alignas(false_sharing_range) atomic<std::int64_t> balance_{0};
    };

    // Any thread: true once all work is done; never before.
    bool is_over() const noexcept {
        // acquire: sees all that the tasks did; partner: the release of the last decrement.
        return active_.load(std::memory_order_acquire) == 0;
    }

    // Before anybody else knows the team: the account will receive the first tasks.
    void begin(account& first) noexcept { activate(first); }

    void activate(account& owner) noexcept {
        owner.open_ = true;
        // relaxed: reports of tasks pushed from now on come after it, by the push's release and the thief's acquire.
        const std::int64_t before = owner.balance_.fetch_add(working, std::memory_order_relaxed);
        // relaxed: precedes the victim's decrement by the report's release and the decrementer's acquire; (2) above.
        if (before == 0)
            active_.fetch_add(1, std::memory_order_relaxed);
    }

    bool settle(account& owner, std::uint64_t stolen) noexcept {
        owner.open_ = false;
        const auto more = static_cast<std::int64_t>(stolen - owner.known_stolen_);
        owner.known_stolen_ = stolen;
        // acq_rel: acquire takes what the reporters released; release passes the owner's work on to the last reporter.
        const std::int64_t before = owner.balance_.fetch_sub(working + more, std::memory_order_acq_rel);
        return before == working + more && deactivate();
    }

    bool report(account& owner, std::uint64_t tasks) noexcept {
        const auto done = static_cast<std::int64_t>(tasks);
        // acq_rel: release passes the tasks' work on; acquire takes that of the owner and of the other reporters.
        const std::int64_t before = owner.balance_.fetch_add(done, std::memory_order_acq_rel);
        return before == -done && deactivate();
    }

private:
    // More than all tasks of a member, so that its balance cannot be zero while it works.
    static constexpr std::int64_t working = std::int64_t{1} << 62;

    bool deactivate() noexcept {
        // acq_rel: release hands the work of this activity to is_over()'s acquire; acquire chains the earlier ones.
        return active_.fetch_sub(1, std::memory_order_acq_rel) == 1;
    }

    alignas(false_sharing_range) atomic<std::uint64_t> active_{0};
};

}  // namespace teff
