// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member of xqueue_scheduler: deals its items out in turn, claims items from its own queues, and answers the requests
// of thieves. Included by xqueue_scheduler.hpp only; xqueue_thief.hpp has the search of a member that has run dry.
//
// An item that a member claims lies in one of four places: its queues, its hand (an item that was moved out of its
// place before it runs), its cell (the answer to a request of `wait`), or the overflow.
#pragma once

#include <teff/base/backoff.hpp>
#include <teff/scheduler/late_items.hpp>
#include <teff/scheduler/xqueue_scheduler.hpp>
#include <teff/scheduler/xqueue_slot.hpp>

#include <utility>

namespace teff {

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

    // `ends_wait()`: whether to stop waiting for items.
    template <class EndsWait>
    T* refill_unless(EndsWait&& ends_wait) {
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
            item = await_next(ends_wait);
        if (item != nullptr && team_->steals() && team_->idle_.any())
            team_->advertisement_.advertise(team_->idle_);
        return search.lasts_for(item);
    }
    T* refill() {
        return refill_unless([] { return false; });
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
    template <class EndsWait>
    T* await_next(EndsWait&& ends_wait) noexcept {
        for (unsigned poll = 0; poll < team_->settings_.dry_polls && !ends_wait(); ++poll) {
            if (team_->steals() && slot_->requests.asking_thief(slot_->number) != nobody)
                return nullptr;
            // Long enough for several items to collect: a consumer that follows closely behind a producer costs both
            // a cache miss per item.
            for (unsigned pause = 0; pause < 32 && !ends_wait(); ++pause)
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
