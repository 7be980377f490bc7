// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How guests get slots; see guests.hpp. Each function that is in a virtual table is out of line (team.cpp).
#include <teff/runtime/guests.hpp>

#include <teff/base/sanitizers.hpp>
#include <teff/runtime/pool.hpp>
#include <teff/runtime/task_team.hpp>

#include <limits>

namespace teff {

// A fixed team has its workers reserved, which must find it first.
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
        offered.is_offered = true;
        offered_.push_back(offered);
        sanitizers::happens_before(static_cast<task_header*>(&offered));
        lanes_.put(offered);
    }
    // As in put_into_lanes(). The call is not over before the guest has waited for it, so the team lives.
    idle().work_visible_to_some();
    notify_blocked();
    return no_slot;
}

unsigned task_team::end_offer(guest_call& offered) noexcept {
    const scoped_lock lock(pool::instance().process_mutex());
    if (offered.is_offered)
        offered_.remove(offered);
    return offered.slot;
}

parked_wait* task_team::pass_slot(unsigned slot) noexcept {
    while (guest_call* const first = offered_.first()) {
        offered_.remove(*first);
        first->is_offered = false;
        const auto is_first = [first](const task_header& each) { return &each == first; };
        // Otherwise a member has taken the call.
        if (lanes_.take(priority_lanes<task_header>::urgent_lanes, is_first) != nullptr) {
            first->slot = slot;
            return first;
        }
    }
    return nullptr;
}

}  // namespace teff
