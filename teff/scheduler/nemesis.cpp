// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dealing out, and what is left at vacant slots.
#include <teff/scheduler/nemesis.hpp>

#include <new>

namespace teff {

nemesis_scheduler::nemesis_scheduler(const scheduler_settings& settings, hunger& idle, std::size_t payload_size,
                                     std::size_t payload_alignment)
    : task_scheduler(settings, idle, payload_size, payload_alignment), places_(settings.slots) {}

bool nemesis_scheduler::attend(unsigned slot, unsigned) noexcept {
    try {
        places_[slot].turns.make_room(roster_);
    } catch (const std::bad_alloc&) {
        return false;
    }
    return true;
}

unsigned nemesis_scheduler::push_to_queue(unsigned slot, task_descriptor& made) noexcept {
    const unsigned next = places_[slot].turns.next(roster_, [](unsigned) { return true; });
    const unsigned to = next == roster::turns::nobody ? slot : next;
    places_[to].queue.push(made);
    return to;
}

task_descriptor* nemesis_scheduler::steal_from_others(unsigned) noexcept {
    for (unsigned i = 0; i < roster_.used(); ++i) {
        if (!roster_[i].is_vacant() || !places_[i].queue.may_have_items() || !roster_[i].try_visit())
            continue;
        task_descriptor* const task = places_[i].queue.pop();
        roster_[i].end_visit();
        if (task != nullptr)
            return task;
    }
    return nullptr;
}

bool nemesis_scheduler::has_free_tasks() const noexcept {
    for (unsigned i = 0; i < roster_.used(); ++i) {
        if (roster_[i].is_vacant() && places_[i].queue.may_have_items())
            return true;
    }
    return false;
}

}  // namespace teff
