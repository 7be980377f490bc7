// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common part, beside the queues, of schedulers that deal tasks to members: which slots are in use, how the end of
// all work is found, and which threads are woken.
//
// A task that was dealt to a slot can be taken only by that slot's member. This has two consequences. A push must wake
// that member if it sleeps, even while other members search: they cannot take the task. And an idle worker outside the
// team sees nothing to take, so an advertisement asks it to join. The end of all work is
// found by counting (termination_detector.hpp).
//
// The option `rescue` lifts the binding where a member is inside a long task, or blocked. Each member then holds the
// consumer token of its slot only for a look into its queues (begin_look, end_look). Another member that has run dry
// takes items of a slot whose member has not looked for a while. While something can be taken so, no
// worker goes to sleep.
//
// Slot has the fields `account`, a termination_detector::account, and `looked`, a last_look. Functions with a slot
// number may be called by any member, except begin_look() and end_look(), which only that slot's member calls.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/clock.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/scheduler/idle_tracker.hpp>
#include <teff/scheduler/member_registry.hpp>
#include <teff/scheduler/settings.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/scheduler/stop_state.hpp>
#include <teff/scheduler/termination_detector.hpp>

#include <cstddef>
#include <cstdint>

namespace teff {

// When the owner of a queue last looked into it. With the option `rescue`, other members take items from a queue whose
// owner has not looked for a while: it is inside a long task, or blocked.
//
//   note           the owner, or any of several, at each look
//   is_long_ago    any thread; a hint
class last_look {
public:
    // relaxed, both: a hint.
    void note() noexcept { at_ns_.store(monotonic_ns(), std::memory_order_relaxed); }
    bool is_long_ago() const noexcept {
        return monotonic_ns() - at_ns_.load(std::memory_order_relaxed) >= a_while_ns;
    }

private:
    // Longer than the time between two looks of an owner that runs short tasks.
    static constexpr std::int64_t a_while_ns = 10'000;
    atomic<std::int64_t> at_ns_{0};
};

// A flag by which a team asks for more workers. Schedulers that deal tasks out need it: there an idle worker cannot
// see the tasks that it would be dealt.
//
//   advertise   a member that pushes, or has more than it can run, while a worker is idle: sets the flag and wakes a
//               worker. Does nothing while a member searches: that member would clear the flag at its next look and
//               busy members would set it again, so the cache line would move at each task
//   withdraw    a member that runs dry: there are enough workers
//   is_set      any thread: whether a worker that joins can expect work
// The flag is a hint. A wrong value costs a needless visit, or delays a worker until the next push.
class work_advertisement {
public:
    void advertise(idle_tracker& idle) noexcept {
        if (idle.members().searching() != 0)
            return;
        if (!is_set())
            // relaxed: a hint; the fence of the notification makes it visible to the worker that is woken.
            set_.store(1, std::memory_order_relaxed);
        if (idle.would_notify())
            notify(idle);
    }
    void withdraw() noexcept {
        if (is_set())
            // relaxed: a hint.
            set_.store(0, std::memory_order_relaxed);
    }
    // relaxed: a hint.
    bool is_set() const noexcept { return set_.load(std::memory_order_relaxed) != 0; }

private:
    // Out of line: contains a fence, which the path of a task avoids.
    [[gnu::noinline, gnu::cold]] static void notify(idle_tracker& idle) noexcept { idle.work_visible(); }

    alignas(false_sharing_range) atomic<unsigned> set_{0};
};

template <class Slot>
class dealing_team {
public:
    // Looks at the accounts of all members, whose lines these write at each task.
    bool finished() const noexcept {
        return termination_detector::all_ran([this](unsigned slot) -> const auto& { return slots_[slot].account; },
                                             [this] { return larger(registry_.used(), 1U); });
    }
    // Whether a member has found finished() to be true, once. The member that runs dry last, or drops the last items,
    // does find it (termination_detector.hpp), so a member that searches need not look at the accounts. Not for teams
    // that get more items after their end.
    bool has_found_end() const noexcept {
        // relaxed: a member that stays in its team executes a fence after its search (team::search), which makes an
        // acquire of this load; partner: the release in notify_if_finished().
        return has_found_end_.load(std::memory_order_relaxed);
    }
    std::size_t queued_estimate() const noexcept {
        return termination_detector::unfinished([this](unsigned slot) -> const auto& { return slots_[slot].account; },
                                                registry_.used());
    }
    void cancel() noexcept { stop_.cancel(); }
    void orphan() noexcept {
        stop_.orphan();
        // Visitors do not exist in the child.
        for (unsigned i = 0; i < registry_.used(); ++i)
            registry_[i].reset_after_fork();
    }

protected:
    static constexpr unsigned caller_slot = 0;

    // Throws std::bad_alloc.
    dealing_team(const scheduler_settings& settings, idle_tracker& idle)
        : settings_(settings), idle_(idle), registry_(settings.slots), slots_(settings.slots) {
        // Keeps finished() false until slot 0, which receives the first items, has run dry.
        slots_[caller_slot].account.hold();
    }
    ~dealing_team() = default;

    // Whether the team asks idle workers to join. The member that finds the end of all work withdraws the
    // advertisement; none follows, since an item is advertised before it ends. In a stopped team no worker must join.
    bool wants_workers() const noexcept { return advertisement_.is_set() && !stop_.is_set(); }

    // Whether members take items that were dealt to others. In a stopped team each member drops its own items.
    bool rescues() const noexcept { return settings_.rescue && !stop_.is_set(); }
    // Whether a member of another slot may take items there: the slot is vacant, or its member is to be rescued. A
    // hint.
    bool may_visit(unsigned slot) const noexcept { return registry_[slot].is_vacant() || may_rescue(slot); }
    // Whether members rescue and the member of that slot has not looked into its queues for a while. A hint.
    bool may_rescue(unsigned slot) const noexcept { return rescues() && slots_[slot].looked.is_long_ago(); }
    // For a member of another slot: takes that slot's consumer token for one visit. True: it must call
    // registry_[slot].end_visit().
    bool try_visit(unsigned slot) noexcept {
        return registry_[slot].try_visit() || (rescues() && registry_[slot].try_rescue());
    }
    // From here to end_look() no other member takes items of that slot.
    void begin_look(unsigned slot) noexcept {
        if (settings_.rescue) [[unlikely]]
            take_token_back(slot);
    }
    void end_look(unsigned slot) noexcept {
        if (settings_.rescue) [[unlikely]]
            lend_token(slot);
    }

    // Call after a push to that slot and a fence. Wakes all sleeping members if that slot's member may be one of them:
    // the caller may sleep inside the team at any time, other members only if `members_wait` is set (settings.hpp).
    void notify_if_asleep(unsigned slot) noexcept {
        if ((slot == caller_slot || settings_.members_wait) && idle_.members().sleeping() != 0) [[unlikely]]
            notify_members();
    }
    // After the last of some items of the calling member has run or was dropped: if all work is done, wakes the members
    // that sleep. Returns whether it is.
    bool notify_if_finished() noexcept {
        // seq_cst: our counts of runs and pushes come before we look for the end, and then for sleepers; partners: the
        // same fence in other members (termination_detector.hpp), and the one in event_count::prepare_sleep().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        if (!finished())
            return false;
        advertisement_.withdraw();
        // relaxed: only avoids a needless store.
        if (!has_found_end_.load(std::memory_order_relaxed))
            // release: publishes what the items did, which finished() has acquired; partner: the load in
            // has_found_end(), with the fence after it.
            has_found_end_.store(true, std::memory_order_release);
        notify_members();
        return true;
    }

    const scheduler_settings settings_;
    idle_tracker& idle_;
    member_registry registry_;
    slots<Slot> slots_;
    stop_state stop_;
    work_advertisement advertisement_;
    alignas(false_sharing_range) atomic<bool> has_found_end_{false};

private:
    // Out of line, all three: they contain fences, swaps or looks at the clock.
    [[gnu::noinline, gnu::cold]] void notify_members() noexcept { idle_.members().notify_all(); }
    [[gnu::noinline, gnu::cold]] void take_token_back(unsigned slot) noexcept {
        if (registry_[slot].try_take_back())
            return;
        // A rescuer has the token. Other rescuers stay away once the look is noted.
        slots_[slot].looked.note();
        registry_[slot].take_back();
    }
    [[gnu::noinline, gnu::cold]] void lend_token(unsigned slot) noexcept {
        slots_[slot].looked.note();
        registry_[slot].lend();
    }
};

}  // namespace teff
