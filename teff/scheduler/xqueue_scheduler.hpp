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
// joins and for any member that runs dry (consumer_token.hpp). Otherwise a worker that searches for a shorter time than
// a task takes would never get an item. Such items are marked (late_items.hpp): by a producer that knows the slot to be
// vacant, by a member that leaves, and, if they arrive after the leaving member's look, by their producer at its next
// push or when it runs dry. Only a fence at each push could make them visible earlier. (2) A member that has run dry
// looks a few times more, with pauses, before it counts as idle (option `dry_polls`). (3) Idle workers sleep, so a
// member that sees an idle worker sets the advertisement (dealing_team.hpp) and wakes one. There is no fence
// between that check and a push, so the check may come too early; then the wake-up follows with the next push or claim,
// or when the member runs dry (retire). (4) The end is found by counting (termination_detector.hpp); the paper does not
// say how. (5) The items that the team starts with are not dealt out, because only the caller has joined by then. Each
// member takes one of them when it joins or has run dry (first_items.hpp). (6) A member that has found a queue full
// while no worker is idle refuses the next pushes without a look at the queues (option `xqueue_full_pause`: how many);
// their items run at once.
#pragma once

#include <teff/base/backoff.hpp>
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
#include <optional>
#include <utility>

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

// The member's cursor.
template <class T>
class xqueue_scheduler<T>::local {
public:
    // A look into the queues lasts from a claim that returns an item to its release.
    T* claim() noexcept {
        if (needs_refill())
            return nullptr;
        if (!team_->settings_.rescue) [[likely]]
            return claim_own();
        look search(*team_, *slot_);
        return search.lasts_for(claim_own());
    }
    void release(T*) noexcept {
        destroy_claimed();
        team_->end_look(slot_->number);
    }

    // The work is done out of line, and with the slot instead of the cursor, whose address must not escape.
    template <class Given>
    bool try_push(Given&& item) {
        return !team_->stop_.is_set() && deal_out(*team_, *slot_, std::forward<Given>(item));
    }
    // After try_push() failed: the queue is full, or the team is stopped and the item is dropped.
    bool push_slow(T& item) {
        if (!team_->stop_.is_set())
            return false;
        [[maybe_unused]] const T dropped(std::move(item));
        return true;
    }
    // The item is not dealt out, because only the caller has joined yet.
    void push_first(T& item) {
        team_->first_.add(item);
        slot_->account.count_push();
    }
    void push_overflow(T& item) {
        slot_->overflow.add(std::move(item));
        slot_->account.count_push();
    }

    T* refill() {
        look search(*team_, *slot_);
        // Counts the last claimed item if its move threw, since ran_one() was not called for it.
        ran_one();
        if (team_->stop_.is_set()) {
            drop_own();
            return nullptr;
        }
        if (team_->steals())
            answer();
        T* item = claim_own();
        if (item == nullptr && take_first())
            item = claim_own();
        if (item == nullptr && team_->slots_.size() > 1)
            item = await_next();
        if (item != nullptr && team_->steals() && team_->idle_.any())
            team_->advertisement_.advertise(team_->idle_);
        return search.lasts_for(item);
    }

    void ran_one() noexcept {
        if (std::exchange(slot_->run_uncounted, false))
            slot_->account.count_run();
    }

    void retire() noexcept {
        slot_->account.release_hold();
        if (team_->notify_if_finished())
            return;
        // After the fence in notify_if_finished(): if this member does not see that another member has left, then the
        // look of that member in leave() has seen the items that this one dealt to it.
        if (!slot_->turns.is_current(team_->registry_))
            team_->follow_changes(*slot_);
        team_->notify_for_queued(*slot_);
    }
    // The member accepts requests again.
    void resume() noexcept {
        if (std::exchange(slot_->is_closed, false))
            slot_->requests.next_round();
    }

    // One attempt: items that others have dealt out meanwhile, first items, items at vacant slots, the answer of a
    // victim.
    bool steal() {
        xqueue_scheduler& team = *team_;
        team.advertisement_.withdraw();
        const look search(team, *slot_);
        if (team.stop_.is_set()) {
            drop_own();
            visit_others([this](slot& left, late_items::set& queues) {
                drop_queued(left);
                queues = 0;
                return false;
            });
            team.notify_if_finished();
            return false;
        }
        const bool found = has_arrived() || take_first() ||
                           visit_others([this](slot& left, late_items::set& queues) {
                               return take_in_hand(left, queues);
                           }) ||
                           (team.steals() && request_from_victim());
        if (found && std::exchange(slot_->is_closed, false))
            slot_->requests.next_round();
        return found;
    }

    slot_counts counted() const noexcept {
        return {.pushed = slot_->account.pushes(), .run = slot_->account.runs(), .requests_served = slot_->served};
    }

    void drop_all() noexcept {
        const look search(*team_, *slot_);
        drop_own();
    }

private:
    friend xqueue_scheduler;

    // Between these no other member takes items of the member's slot.
    class look {
    public:
        look(xqueue_scheduler& in, slot& mine) noexcept : team_(in), number_(mine.number) { team_.begin_look(number_); }
        ~look() {
            if (ends_)
                team_.end_look(number_);
        }
        look(const look&) = delete;
        look& operator=(const look&) = delete;
        // An item that was claimed stays in its place until release(), and the look lasts until then.
        T* lasts_for(T* claimed) noexcept {
            ends_ = claimed == nullptr;
            return claimed;
        }

    private:
        xqueue_scheduler& team_;
        const unsigned number_;
        bool ends_ = true;
    };

    local(xqueue_scheduler& team, slot& mine) noexcept : team_(&team), slot_(&mine) {}

    // Whether refill() is needed before the next claim: the team is stopped, a thief asks, or a worker is idle.
    bool needs_refill() const noexcept {
        return team_->stop_.is_set() ||
               (team_->steals() && (slot_->requests.asking_thief(slot_->number) != nobody || team_->idle_.any()));
    }

    // Waits a little for items that others are dealing out. Otherwise a member that is faster than its producers
    // would count as idle after each item, which costs all of them more than the item.
    T* await_next() noexcept {
        for (unsigned poll = 0; poll < team_->settings_.dry_polls; ++poll) {
            if (team_->steals() && slot_->requests.asking_thief(slot_->number) != nobody)
                return nullptr;
            // Long enough for several items to collect: a consumer that follows closely behind a producer costs both
            // a cache miss per item.
            for (unsigned pause = 0; pause < 32; ++pause)
                cpu_relax();
            if (T* const item = slot_->queues.front())
                return claim_from(place::queue, item);
        }
        return nullptr;
    }

    void destroy_claimed() noexcept {
        switch (slot_->claimed) {
        case place::queue: slot_->queues.pop_front(); break;
        case place::hand: slot_->hand.reset(); break;
        case place::cell: slot_->cell.clear(); break;
        case place::overflow: slot_->overflow.remove_last(); break;
        }
        slot_->run_uncounted = true;
    }
    void drop_own() noexcept {
        ran_one();
        while (claim_own() != nullptr) {
            destroy_claimed();
            ran_one();
        }
        while (team_->first_.take() != nullptr)
            slot_->account.count_run();
    }

    T* claim_own() noexcept {
        slot& mine = *slot_;
        if (mine.hand)
            return claim_from(place::hand, &*mine.hand);
        if (T* const item = mine.queues.front())
            return claim_from(place::queue, item);
        if (T* const item = answer_in(mine))
            return claim_from(place::cell, item);
        return mine.overflow.empty() ? nullptr : claim_from(place::overflow, &mine.overflow.last());
    }
    // The item in the cell, which the caller takes, or nullptr. The victim that gave it is asked first next time.
    static T* answer_in(slot& owner) noexcept {
        T* const item = owner.cell.get();
        if (item != nullptr && owner.asked != nobody)
            owner.last_giver = std::exchange(owner.asked, nobody);
        return item;
    }
    T* claim_from(place where, T* item) noexcept {
        slot_->claimed = where;
        return item;
    }

    template <class Given>
    [[gnu::noinline]] static bool deal_out(xqueue_scheduler& team, slot& mine, Given&& item) {
        const bool may_answer = team.steals() && !team.waits();
        const unsigned thief = may_answer ? mine.requests.asking_thief(mine.number) : nobody;
        // A sleeping thread counts as idle, so there is none to wake here.
        if (thief == nobody && !team.idle_.any()) [[likely]] {
            if (mine.full != 0) {
                --mine.full;
                return false;
            }
            const bool taken = push_to(team, mine, next_in_turn(team, mine, false), std::forward<Given>(item));
            if (!taken)
                mine.full = team.settings_.xqueue_full_pause;
            else if (team.settings_.rescue) [[unlikely]]
                team.call_rescuer(mine);
            return taken;
        }
        return deal_out_to_idle(team, mine, thief, std::forward<Given>(item));
    }
    template <class Given>
    [[gnu::noinline]] static bool deal_out_to_idle(xqueue_scheduler& team, slot& mine, unsigned thief,
                                                   Given&& item) {
        const bool is_wanted = team.idle_.any();
        const unsigned to = thief == nobody ? next_in_turn(team, mine, is_wanted) : thief;
        const bool taken = push_to(team, mine, to, std::forward<Given>(item));
        if (taken && to != mine.number)
            team.note_dealt(mine, to);
        if (thief != nobody && (!taken || ++mine.given == team.gift()))
            end_round(mine, taken);
        if (team.settings_.rescue) [[unlikely]]
            team.call_rescuer(mine);
        else if (is_wanted)
            team.advertisement_.advertise(team.idle_);
        team.notify_if_asleep(to);
        return taken;
    }
    template <class Given>
    [[gnu::always_inline]] static bool push_to(xqueue_scheduler& team, slot& mine, unsigned to,
                                               Given&& item) {
        const unsigned distance = team.ring_.distance(mine.number, to);
        xqueue<T>& queues = team.slots_[to].queues;
        if (!queues.has_room(distance))
            return false;
        // Counts the push before the item becomes visible, so that its run is never counted without it.
        counted_push push(mine.account);
        push.taken = queues.push(distance, std::forward<Given>(item));
        return true;
    }

    struct counted_push {
        termination_detector::account& account;
        bool taken = false;
        explicit counted_push(termination_detector::account& own) noexcept : account(own) { account.count_push(); }
        ~counted_push() {
            if (!taken)
                account.take_back();
        }
    };

    [[gnu::always_inline]] static unsigned next_in_turn(xqueue_scheduler& team, slot& mine,
                                                        bool is_wanted) noexcept {
        if (!mine.turns.is_current(team.registry_)) [[unlikely]]
            team.follow_changes(mine);
        unsigned to = mine.turns.next(is_wanted);
        // One item at a vacant slot is enough to make work visible there; further items are taken sooner from
        // attended slots.
        if (is_wanted && to != member_registry::round_robin::nobody && team.registry_[to].is_vacant() &&
            team.late_.has_marks(to))
            to = mine.turns.next(false);
        return to == member_registry::round_robin::nobody ? mine.number : to;
    }
    static void end_round(slot& mine, bool gave) noexcept {
        mine.given = 0;
        mine.served += gave ? 1 : 0;
        mine.requests.next_round();
    }

    // Answers or declines a request. Keeps the item that is to run next and gives the items behind it. If the thief has
    // fallen asleep meanwhile, it is woken if it is the caller; the items of a worker that has left are announced like
    // other items at vacant slots.
    void answer() {
        slot& mine = *slot_;
        const unsigned thief = mine.requests.asking_thief(slot_->number);
        if (thief == nobody)
            return;
        bool gave = mine.given != 0;
        if (mine.hand || take_in_hand(mine)) {
            for (unsigned n = mine.given; n < team_->gift(); ++n) {
                T* const item = mine.queues.front();
                if (item == nullptr || !give(thief, std::move(*item)))
                    break;
                mine.queues.pop_front();
                gave = true;
            }
        }
        if (gave)
            team_->note_dealt(mine, thief);
        end_round(mine, gave);
        team_->notify_if_asleep(thief);
        if (gave && team_->settings_.rescue)
            team_->call_rescuer(mine);  // the thief may be inside a long task by now
    }
    bool give(unsigned thief, T&& item) {
        slot& to = team_->slots_[thief];
        if (!team_->waits())
            return to.queues.push(team_->ring_.distance(slot_->number, thief), std::move(item));
        to.cell.put(std::move(item));
        return true;
    }
    // Moves the next item of `owner`'s queues or cell into the member's hand.
    bool take_in_hand(slot& owner) { return take_in_hand(owner, owner.queues.front()); }
    // The same for a visitor, which looks only into the queues of this set; keeps in the set the queues that have more
    // items.
    bool take_in_hand(slot& owner, late_items::set& queues) {
        T* const item = owner.queues.front_among(queues);
        if (!take_in_hand(owner, item))
            return false;
        if (owner.cell.is_full())
            queues = late_items::all;
        else if (item != nullptr)
            owner.queues.front_among(queues);
        return true;
    }
    bool take_in_hand(slot& owner, T* queued) {
        if (queued != nullptr)
            put_in_hand(*queued, [&] { owner.queues.pop_front(); });
        else if (T* const answered = answer_in(owner))
            put_in_hand(*answered, [&] { owner.cell.clear(); });
        return slot_->hand.has_value();
    }

    // Moves the next of the first items into the member's hand.
    bool take_first() {
        T* const item = team_->first_.take();
        if (item == nullptr)
            return false;
        put_in_hand(*item, [] {});
        return true;
    }

    // Moves an item into the member's hand; `remove` ends it where it was.
    template <class Remove>
    void put_in_hand(T& item, Remove&& remove) {
        try {
            slot_->hand.emplace(std::move(item));
        } catch (...) {
            // The item is lost, and counts as run. It may have been the last one.
            remove();
            slot_->account.count_run();
            team_->notify_if_finished();
            throw;
        }
        remove();
    }

    bool has_arrived() noexcept;
    template <class Use>
    bool visit_others(Use&& use);
    template <class Use>
    bool rescue(Use&& use);
    void drop_queued(slot& owner) noexcept;
    // Out of line, so that a test (tests/link) can inspect its code: it contains no read-modify-write and no fence,
    // except in the calls at the end of its last branch.
    [[gnu::noinline]] bool request_from_victim();
    bool leave_request();
    bool wait_for_answer();
    bool has_answer();
    unsigned choose_victim();
    [[gnu::noinline, gnu::cold]] void decline_for_absent(unsigned victim);
    // Called by the holder of the slot's token. The slot stays closed until its member finds an item (steal) or
    // resumes.
    static void close(slot& owner) noexcept {
        owner.is_closed = true;
        owner.given = 0;
        owner.requests.close(owner.number);
    }

    xqueue_scheduler* team_;
    slot* slot_;
};

}  // namespace teff

#include <teff/scheduler/xqueue_thief.hpp>
