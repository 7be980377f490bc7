// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dealing tasks to the members in turn, and taking tasks from vacant slots.
#include <teff/scheduler/nemesis.hpp>

#include <teff/scheduler/make_task_scheduler.hpp>

namespace teff {

nemesis_scheduler::nemesis_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                                     std::size_t payload_alignment)
    : task_scheduler(settings, idle, payload_size, payload_alignment), places_(settings.slots) {
    prepare_for_idle_workers();
}

bool nemesis_scheduler::join_slot(unsigned slot, unsigned) noexcept {
    return places_[slot].turns.try_make_room(registry_);
}

unsigned nemesis_scheduler::push_to_queue(unsigned slot, task_header& made) noexcept {
    unsigned to = takes_beyond_limit(slot) ? dry_slot() : member_registry::round_robin::nobody;
    if (to == member_registry::round_robin::nobody)
        to = next_in_turn(slot, places_[slot].turns);
    places_[to].queue.push(made);
    return to;
}

task_header* nemesis_scheduler::pop(unsigned slot) noexcept {
    if (!settings_.rescue) [[likely]]
        return places_[slot].queue.pop();
    begin_look(slot);
    task_header* const next = places_[slot].queue.pop();
    end_look(slot);
    return next;
}

task_header* nemesis_scheduler::steal_from_others(unsigned slot) noexcept {
    for (unsigned i = 0; i < registry_.used(); ++i) {
        if (i == slot || !may_visit(i) || !places_[i].queue.may_have_items() || !try_visit(i))
            continue;
        task_header* const found = places_[i].queue.pop();
        registry_[i].end_visit();
        if (found != nullptr)
            return found;
    }
    return nullptr;
}

bool nemesis_scheduler::has_free_tasks() const noexcept {
    const bool includes_attended = rescues();
    for (unsigned i = 0; i < registry_.used(); ++i) {
        if ((includes_attended || registry_[i].is_vacant()) && places_[i].queue.may_have_items())
            return true;
    }
    return false;
}

unsigned nemesis_scheduler::dry_slot() const noexcept {
    for (unsigned i = 0; i < registry_.used(); ++i) {
        if (registry_[i].is_attended() && !places_[i].queue.may_have_items())
            return i;
    }
    return member_registry::round_robin::nobody;
}

template struct on_descriptors<nemesis_scheduler>;

}  // namespace teff
