// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives slots to guests; see guests.hpp. Each function that is in a virtual table is out of line (team.cpp).
#include <teff/team/guests.hpp>

#include <teff/base/sanitizers.hpp>
#include <teff/pool/pool.hpp>
#include <teff/team/task_team.hpp>

#include <limits>
#include <utility>

namespace teff {
namespace {

auto is_just(const guest_call& call) noexcept {
    return [&call](const task_header& each) { return &each == &call; };
}

}  // namespace

// A fixed team has reserved workers, which must join it before any other team.
int task_team::priority() const noexcept { return is_fixed() ? std::numeric_limits<int>::max() : how_.priority; }

unsigned task_team::take_slot_as_guest() noexcept {
    const scoped_lock lock(pool::instance().process_mutex());
    return take_guest_slot();
}

unsigned task_team::take_slot_or_offer(guest_call& offered) noexcept {
    {
        const scoped_lock lock(pool::instance().process_mutex());
        const unsigned slot = take_guest_slot();
        if (slot != no_slot)
            return slot;
        add_offer(offered);
        sanitizers::happens_before(static_cast<task_header*>(&offered));
        lanes_.put(offered);
    }
    // As in put_into_lanes(). The call is not over before the guest has waited for it, so the team lives.
    idle().work_visible_to_some();
    notify_blocked();
    return no_slot;
}

// This function and the next two run under the pool's mutex.
void task_team::add_offer(guest_call& offered) noexcept {
    offered.is_offered = true;
    offered_.push_back(offered);
}
void task_team::remove_offer(guest_call& offered) noexcept {
    offered_.remove(offered);
    offered.is_offered = false;
}
bool task_team::take_offered_task(const guest_call& offered) noexcept {
    return lanes_.take(priority_lanes<task_header>::urgent_lanes, is_just(offered)) != nullptr;
}

bool task_team::is_run_by_member(guest_call& offered) noexcept {
    const scoped_lock lock(pool::instance().process_mutex());
    if (offered.slot != no_slot)
        return false;
    if (has_room()) {
        if (!take_offered_task(offered))
            return true;
        offered.slot = take_guest_slot();
        return false;
    }
    if (!lanes_.has(priority_lanes<task_header>::urgent_lanes, is_just(offered)))
        return true;
    // The call has stayed in the lanes, so no thread needs to be woken for it again.
    offered.has_turn = false;
    offered.turn.count_up();
    add_offer(offered);
    return false;
}

team::passed_slot task_team::pass_slot(unsigned slot) noexcept {
    passed_slot made;
    guest_call* last = nullptr;
    while (guest_call* const first = made.is_taken ? nullptr : offered_.first()) {
        remove_offer(*first);
        if (!first->is_of_member) {
            // If the task is gone, a member has taken the call and wakes the guest at the end of the call.
            if (!take_offered_task(*first))
                continue;
            first->slot = slot;
            made.is_taken = true;
        }
        first->has_turn = true;
        first->next_turn = nullptr;
        if (last == nullptr)
            made.to_wake = first;
        else
            last->next_turn = first;
        last = first;
    }
    return made;
}

void task_team::end_offer(guest_call& run) noexcept {
    bool is_waiting = false;
    {
        const scoped_lock lock(pool::instance().process_mutex());
        if (run.is_offered)
            remove_offer(run);
        is_waiting = !std::exchange(run.has_turn, true);
    }
    if (is_waiting)
        run.turn.count_down();
    // The guest may return.
    run.over.count_down();
}

void guest_call::begin_turns(parked_wait& first) noexcept {
    for (auto* each = &static_cast<guest_call&>(first); each != nullptr;) {
        // The guest may be gone as soon as `turn` is counted down.
        guest_call* const next = each->next_turn;
        each->turn.count_down();
        each = next;
    }
}

}  // namespace teff
