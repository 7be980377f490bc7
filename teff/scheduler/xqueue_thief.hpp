// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search of a member of xqueue_scheduler that has run dry (X-OpenMP, sections 4.1 to 4.3); a part of that header.
//
// All functions here run in an idle member. Requests and answers need no read-modify-write; only an action for a member
// that has left, or that is rescued, takes its consumer token by one.
#pragma once

#include <teff/scheduler/xqueue_scheduler.hpp>

namespace teff {

// Whether the member has an item of its own: in its hand, cell, overflow or queues. If the next item of the queues is
// from the victim that was asked, that victim is asked first next time. (For an item in the cell, answer_in() does
// this when the item is taken.)
template <class T>
bool xqueue_scheduler<T>::local::has_arrived() noexcept {
    slot& mine = *slot_;
    if (mine.hand || mine.cell.is_full() || !mine.overflow.empty())
        return true;
    if (mine.queues.front() == nullptr)
        return false;
    if (team_->ring_.producer_at(slot_->number, mine.queues.current()) == mine.asked)
        mine.last_giver = mine.asked;
    return true;
}

// Calls use(slot, queues) for each slot that holds items and may be visited, until use returns true. queues: the set of
// the slot's queues to look into; use() removes each queue that it leaves empty.
template <class T>
template <class Use>
bool xqueue_scheduler<T>::local::visit_others(Use&& use) {
    const auto use_late = [&](unsigned left, late_items::set& queues) { return use(team_->slots_[left], queues); };
    return team_->late_.visit(team_->registry_, use_late) || (team_->rescues() && rescue(use));
}

// Visits members that have not looked into their queues for a while.
template <class T>
template <class Use>
bool xqueue_scheduler<T>::local::rescue(Use&& use) {
    struct visit {
        consumer_token& token;
        ~visit() { token.end_visit(); }
    };
    for (unsigned i = 0; i < team_->registry_.used(); ++i) {
        if (i == slot_->number || !team_->may_rescue(i) || !has_queued(team_->slots_[i]) ||
            !team_->registry_[i].try_rescue())
            continue;
        const visit until_done{team_->registry_[i]};
        late_items::set queues = late_items::all;
        if (use(team_->slots_[i], queues))
            return true;
    }
    return false;
}

// Destroys the items where they are: moving them might throw again and again.
template <class T>
void xqueue_scheduler<T>::local::drop_queued(slot& owner) noexcept {
    for (; owner.queues.front() != nullptr; slot_->account.count_run())
        owner.queues.pop_front();
    if (owner.cell.is_full()) {
        owner.cell.clear();
        slot_->account.count_run();
    }
}

template <class T>
bool xqueue_scheduler<T>::local::request_from_victim() {
    close(*slot_);
    return team_->waits() ? wait_for_answer() : leave_request();
}

// no_wait: the victim's answer arrives in the thief's own queues.
template <class T>
bool xqueue_scheduler<T>::local::leave_request() {
    const unsigned victim = choose_victim();
    if (victim != nobody && team_->slots_[victim].requests.ask(slot_->number) != steal_request::not_asked)
        slot_->asked = victim;
    return false;
}

template <class T>
bool xqueue_scheduler<T>::local::wait_for_answer() {
    slot& mine = *slot_;
    if (mine.asked == nobody) {
        const unsigned victim = choose_victim();
        if (victim == nobody)
            return false;
        mine.round = team_->slots_[victim].requests.ask(slot_->number);
        if (mine.round == steal_request::not_asked)
            return false;
        mine.asked = victim;
    }
    for (unsigned i = mine.tries.looks(); i > 0 && mine.asked != nobody; --i) {
        if (has_answer()) {
            mine.tries.succeeded();
            return true;
        }
        close(mine);
        cpu_relax();
    }
    mine.tries.failed();
    if (mine.asked == nobody)
        return false;
    if (team_->registry_[mine.asked].is_vacant())
        decline_for_absent(mine.asked);
    else
        team_->notify_if_asleep(mine.asked);
    return false;
}

// wait: whether the answer is in the cell. If the round is over and the cell was empty, no answer will come.
template <class T>
bool xqueue_scheduler<T>::local::has_answer() {
    slot& mine = *slot_;
    steal_request& at = team_->slots_[mine.asked].requests;
    const bool is_over = at.is_over(mine.round);
    if (mine.cell.is_full())
        return true;
    if (is_over)
        mine.asked = nobody;
    else
        at.ask_again(slot_->number, mine.round);
    return false;
}

// The victim that gave something last, or a random one; `nobody` if that slot cannot give. Each gift makes its giver
// the first choice for one request.
template <class T>
unsigned xqueue_scheduler<T>::local::choose_victim() {
    slot& mine = *slot_;
    const unsigned used = team_->registry_.used();
    unsigned victim = std::exchange(mine.last_giver, nobody);
    if (victim == nobody)
        victim = mine.random.below(used);
    const bool can_give = victim != slot_->number && team_->registry_[victim].is_attended() &&
                          (team_->waits() || team_->ring_.reaches(victim, slot_->number));
    return can_give ? victim : nobody;
}

// A victim that left after it was asked cannot decline; the thread that holds its consumer token can.
template <class T>
void xqueue_scheduler<T>::local::decline_for_absent(unsigned victim) {
    consumer_token& token = team_->registry_[victim];
    if (!token.try_visit())
        return;
    close(team_->slots_[victim]);
    token.end_visit();
}

}  // namespace teff
