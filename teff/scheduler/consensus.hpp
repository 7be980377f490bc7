// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds when all work is done: the end-of-work consensus of Blaze-Tasks, section 4.3.3.
//
// A member owns the tasks that were first enqueued in its queue. It is active while it owns unfinished tasks. One
// global counter holds the number of active members; it is written only when a member becomes active or inactive.
// Each member also has a counter of those of its tasks that were stolen and processed: a thief that has finished a
// stolen task reports it there. So neither enqueuing a task nor running an own task writes a shared counter.
//
// Differs from the paper: there, an owner that is out of work compares its counter of reports with the number of its
// stolen tasks again and again. Here the owner subtracts the number of stolen tasks from the counter, which then
// holds a balance, and the thread that brings the balance to zero makes the owner inactive. So an owner can sleep, or
// leave its slot to another thread, while its tasks run elsewhere. Exactly one member notices the end, and it wakes
// the others.
//
//   balance of an owner = reports - stolen tasks subtracted so far  (+ `working`, while it works on own tasks)
//   activate(account)          owner; before its first push after the start or after settle()
//   settle(account, stolen)    owner; after its queue was empty and it has run what it claimed. stolen: how many of its
//                              tasks were ever stolen
//   report(account, tasks)     thief; after it has run that many tasks stolen from this owner, or has made them its own
// settle() and report() return true in the one call that ends the work.
//
// Why zero means the end. An activity of a member lasts from the activate() that increments the global counter to the
// decrement that makes the member inactive.
// (1) The decrement comes after all tasks enqueued during the activity were processed: the balance is zero only after
// settle(), which subtracts all stolen tasks, and after a report of each of them.
// (2) A member pushes only while it runs a task. If the task is its own, the member is active. If the task is stolen,
// the member's activate() comes before the push and before the report to the victim, so its increment comes before
// the decrement of the victim's activity in the counter's modification order.
// Suppose that this counter is zero at some point of its order and a task is unfinished. The decrement of the task's
// activity comes later, by (1). So does the increment, because all activities that began before the zero have also
// ended before it. By (2) the same holds for the activity of the victim whose task was running at activate(), and so
// on up to the activity of the first tasks. But the increment of that one is the counter's first value: a
// contradiction. And once the counter is zero no member runs a task, so it stays zero.
// A thief may also put stolen tasks into its own queue and report them; it owns them from then on. It is active
// before it does so, and the report comes after, so (1) and (2) hold for a task under its new owner.
// Activating at the push instead of at the theft saves two writes for each stolen task that has no children.
// Activating after the push would be wrong: if thieves reported the new tasks of a settled member before its
// activate(), its balance could be zero while older tasks still run.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>

#include <cstdint>

namespace teff {

class consensus {
public:
    class account {
    public:
        // Owner: whether the member is between activate() and settle().
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
        // acquire: sees everything that the tasks did; partner: the release of the last decrement, in deactivate().
        return active_.load(std::memory_order_acquire) == 0;
    }

    // Called before any other thread can see the team. `first` is the account of the member that receives the first
    // tasks.
    void begin(account& first) noexcept { activate(first); }

    void activate(account& owner) noexcept {
        owner.open_ = true;
        // relaxed: a report of a task that is pushed after this is ordered after it by the push's release and the
        // thief's acquire.
        const std::int64_t before = owner.balance_.fetch_add(working, std::memory_order_relaxed);
        // relaxed: ordered before the victim's decrement by the release of our report and the acquire of the thread
        // that decrements; see (2) above.
        if (before == 0)
            active_.fetch_add(1, std::memory_order_relaxed);
    }

    bool settle(account& owner, std::uint64_t stolen) noexcept {
        owner.open_ = false;
        const auto more = static_cast<std::int64_t>(stolen - owner.known_stolen_);
        owner.known_stolen_ = stolen;
        // acq_rel: acquire sees the work of the reporters; release publishes the owner's work to the last reporter;
        // partner: report().
        const std::int64_t before = owner.balance_.fetch_sub(working + more, std::memory_order_acq_rel);
        return before == working + more && deactivate();
    }

    bool report(account& owner, std::uint64_t tasks) noexcept {
        const auto done = static_cast<std::int64_t>(tasks);
        // acq_rel: release publishes the work of the tasks; acquire sees the work of the owner and of the other
        // reporters; partners: settle() and report().
        const std::int64_t before = owner.balance_.fetch_add(done, std::memory_order_acq_rel);
        return before == -done && deactivate();
    }

private:
    // Larger than the number of tasks of any member, so that the balance is never zero while the account is open.
    static constexpr std::int64_t working = std::int64_t{1} << 62;

    bool deactivate() noexcept {
        // acq_rel: release publishes the work of this activity to is_over()'s acquire; acquire sees the work of the
        // activities that ended earlier, so that the last decrement publishes all of it.
        return active_.fetch_sub(1, std::memory_order_acq_rel) == 1;
    }

    alignas(false_sharing_range) atomic<std::uint64_t> active_{0};
};

}  // namespace teff
