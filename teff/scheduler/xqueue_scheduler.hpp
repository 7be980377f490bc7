// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedulers of X-OpenMP (sections 3 and 4): work is dealt out when it is made, without a lock, a
// read-modify-write or a fence (but see `rescue` below). xqueue_static, xqueue_wait, xqueue_nowait and xqueue_nowait2
// differ in what an idle worker does.
//
// Each member has an xqueue. Pushes go to the members in turn, each by the one B-queue that leads from the pushing
// member to the receiving one; if that queue is full, the item is refused and runs at once. A claim takes from the
// member's own queues. A member that runs dry
//   static    waits for items that others deal to it
//   wait      sends a request to a victim and polls its own cell for the answer a number of times: twice as many after
//             a failure, fewer after a success (min_tries to max_tries)
//   no_wait   sends a request to a victim and keeps polling its own queues, where the answer arrives: one item,
//             or up to two in xqueue_nowait2
// The victim is the one that gave something last, or a random one. It looks for requests at each claim and, in
// no_wait, at each push; the pushed item then goes to the thief.
//
// No starvation, on one condition: an item that was dealt to a member waits until that member claims or, except in
// static, answers a request. So a task that runs for a long time delays everything that its worker has queued. The
// option `rescue` lifts this (dealing_team.hpp), at the price of a swap and a clock per claim and a fence per push. It
// does not reach the overflow: refused items that would have run too deep inside each other.
//
// Teams here are elastic; those of the paper are not. Hence: (1) Pushes go to attended slots and, while a worker is
// idle, to vacant slots without items in their turn, too. Items at a vacant slot are visible work, for a worker that
// joins and for any member that runs dry (member_registry.hpp). Otherwise a worker that searches for a shorter time
// than a task takes would never get an item. Such items are marked (late_items.hpp): by a producer that knows the slot
// to be vacant, by a member that leaves, and, if they arrive after the leaving member's look, by their producer at its
// next push or when it runs dry. Only a fence at each push could make them visible earlier. (2) A member that has run
// dry looks a few times more, with pauses, before it counts as idle (option `dry_polls`). (3) Idle workers sleep, so a
// member that sees an idle worker sets the advertisement (dealing_team.hpp) and wakes one. There is no fence between
// that check and a push, so the check may come too early; then the wake-up follows with the next push or claim, or when
// the member runs dry (retire). (4) The end is found by counting (termination_detector.hpp); the paper does not say
// how. (5) The items that the team starts with are not dealt out, because only the caller has joined by then. Each
// member takes one of them when it joins or has run dry (first_items.hpp). (6) A member that has found a queue full
// while no worker is idle refuses the next pushes without a look at the queues (option `xqueue_full_pause`: how many);
// their items run at once.
#pragma once

#include <teff/base/light_standard.hpp>
#include <teff/queue/xqueue.hpp>
#include <teff/scheduler/dealing_team.hpp>
#include <teff/scheduler/first_items.hpp>
#include <teff/scheduler/late_items.hpp>
#include <teff/scheduler/scheduler.hpp>
#include <teff/scheduler/steal_request.hpp>
#include <teff/scheduler/termination_detector.hpp>
#include <teff/scheduler/xqueue_slot.hpp>

#include <new>

namespace teff {

template <class T>
class xqueue_scheduler : public dealing_team<xqueue_slot<T>> {
    using slot = xqueue_slot<T>;
    using place = typename slot::place;
    static constexpr unsigned nobody = slot::nobody;
    using team = dealing_team<slot>;
    using team::caller_slot, team::registry_, team::settings_, team::slots_;

public:
    class local;
    static constexpr bool counts_items = true;

    // Throws std::bad_alloc.
    xqueue_scheduler(const scheduler_settings& settings, idle_tracker& idle)
        : team(settings, idle),
          ring_(settings.slots, xqueue<T>::bytes_per_queue(settings.xqueue_capacity), settings.xqueue_memory),
          late_(settings.slots) {
        for (unsigned i = 0; i < settings.slots; ++i)
            slots_[i].number = i;
    }

    local enter(unsigned number, unsigned worker) {
        slot& mine = slots_[number];
        mine.turns.make_room(registry_);
        registry_[number].enter();
        if (!mine.queues.open(ring_.reach(), settings_.xqueue_capacity, settings_.xqueue_capacity / 4,
                              settings_.binds_workers)) {
            registry_[number].leave();
            throw std::bad_alloc();
        }
        late_.forget(number);
        mine.random = random_generator(worker + 1);
        mine.tries.begin(settings_.min_tries, settings_.max_tries);
        registry_.admit(number);
        team::end_look(number);
        return local(*this, mine);
    }
    void leave(const local& member) noexcept {
        const unsigned number = member.slot_->number;
        team::begin_look(number);
        registry_.leave(number);
        // seq_cst: the slot is vacant before we look for items that came late; partner: the fence in
        // notify_if_finished(), after which a producer that this look misses sees that we have left (retire).
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        const slot& left = slots_[number];
        late_.mark_left(number, left.cell.is_full() ? late_items::all : left.queues.with_items());
    }

    // Whether a worker that joins now could take something.
    bool has_visible_work() const noexcept {
        if (first_.any() || team::wants_workers() || late_.any())
            return true;
        if (!team::rescues())
            return false;
        for (unsigned i = 0; i < registry_.used(); ++i) {
            if (registry_[i].is_attended() && has_queued(slots_[i]))
                return true;
        }
        return false;
    }
    bool has_work_for(unsigned number) const noexcept { return has_queued(slots_[number]) || has_visible_work(); }
    // Nothing to do: members check for idle workers at each operation.
    void request() noexcept {}

private:
    static bool has_queued(const slot& owner) noexcept {
        return owner.queues.may_have_items() || owner.cell.is_full();
    }
    bool steals() const noexcept { return settings_.stealing != xqueue_stealing::none; }
    bool waits() const noexcept { return settings_.stealing == xqueue_stealing::wait; }
    unsigned gift() const noexcept { return settings_.stealing == xqueue_stealing::no_wait_two ? 2 : 1; }

    // Whether that slot may have an item of this member. An item in the cell may also be from another member, even one
    // beyond the reach of the queues.
    bool has_queued_by(const slot& mine, unsigned other) const noexcept {
        const slot& there = slots_[other];
        return there.cell.is_full() ||
               (ring_.reaches(mine.number, other) && there.queues.is_open() &&
                there.queues.may_have_items(ring_.distance(mine.number, other)));
    }
    // Called after a fence, by a member that may have dealt an item to a member that was about to sleep.
    void notify_for_queued(const slot& mine) noexcept {
        if (team::idle_.members().sleeping() == 0)
            return;
        for (unsigned i = 0; i < (settings_.members_wait ? registry_.used() : 1); ++i) {
            if (has_queued_by(mine, i))
                return team::notify_if_asleep(i);
        }
    }
    // Called after an item was queued for a thief or while a worker is idle: its slot may be vacant, or missing from
    // the member's list of attended slots.
    void note_dealt(slot& mine, unsigned to) noexcept {
        if (registry_[to].is_attended())
            mine.dealt_to |= late_items::only(to);
        else
            mark_late(mine, to);
    }
    [[gnu::noinline, gnu::cold]] void mark_late(const slot& mine, unsigned to) noexcept {
        late_.mark(to, late_items::only(ring_.distance(mine.number, to)));
    }
    // Whether a slot can be dealt to.
    bool can_take(const slot& mine, unsigned other) const noexcept {
        return ring_.reaches(mine.number, other) && slots_[other].queues.is_open();
    }
    // For a member whose list of slots is older than the last entry or exit of a member. Marks the items that it has
    // dealt to members that have left since: these items may have arrived after the look of the leaving member (leave).
    [[gnu::noinline, gnu::cold]] void follow_changes(slot& mine) noexcept {
        mine.turns.each_attended([&](unsigned listed) { mine.dealt_to |= late_items::only(listed); });
        mine.turns.refresh(registry_, [&](unsigned other) { return can_take(mine, other); });
        late_items::set still = 0;
        for (unsigned i = 0; i < registry_.used(); ++i) {
            if (!late_items::contains(mine.dealt_to, i))
                continue;
            if (registry_[i].is_attended())
                still |= late_items::only(i);
            else if (has_queued_by(mine, i))
                late_.mark(i, late_items::only(ring_.distance(mine.number, i)));
        }
        mine.dealt_to = still;
    }
    // Called after this member has queued an item, with the option `rescue`. It marks items at slots whose members have
    // just left and wakes a worker that has just fallen asleep, since this member may be busy for a long time now.
    [[gnu::noinline, gnu::cold]] void call_rescuer(slot& mine) noexcept {
        // seq_cst: the item is in its queue before we look for members that left and for idle workers; partners: the
        // fences in leave() and in event_count::prepare_sleep().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        if (!mine.turns.is_current(registry_)) {
            follow_changes(mine);
            // seq_cst: the marks, too, come before we look for idle workers; partner: the fence in
            // event_count::prepare_sleep().
            teff::atomic_thread_fence(std::memory_order_seq_cst);
        }
        if (team::idle_.any())
            team::advertisement_.advertise(team::idle_);
    }

    const xqueue_ring ring_;
    first_items<T> first_;
    late_items late_;
};

}  // namespace teff

#include <teff/scheduler/xqueue_member.hpp>
#include <teff/scheduler/xqueue_thief.hpp>
