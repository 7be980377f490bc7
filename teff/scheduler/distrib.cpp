// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dealing tasks to the members in turn, and choosing victims in turn.
#include <teff/scheduler/distrib.hpp>

#include <teff/scheduler/make_task_scheduler.hpp>

namespace teff {

distrib_scheduler::distrib_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                                     std::size_t payload_alignment)
    : task_scheduler(settings, idle, payload_size, payload_alignment), places_(settings.slots) {
    prepare_for_idle_workers();
}

bool distrib_scheduler::join_slot(unsigned slot, unsigned) noexcept {
    place& mine = places_[slot];
    mine.next_victim = slot;
    mine.looks = 0;
    return mine.turns.try_make_room(registry_);
}

unsigned distrib_scheduler::push_to_queue(unsigned slot, task_header& made) noexcept {
    const unsigned to = next_in_turn(slot, places_[slot].turns);
    return places_[to].queue.push(&made) ? nobody : no_memory;
}

task_header* distrib_scheduler::pop(unsigned slot) noexcept {
    place& mine = places_[slot];
    task_header* const newest = mine.queue.pop();
    if (newest != nullptr)
        mine.looks = 0;
    return newest;
}

// Called each time the member has found its own queue empty.
task_header* distrib_scheduler::steal_from_others(unsigned slot) noexcept {
    place& mine = places_[slot];
    if (mine.looks++ % settings_.distrib_steal_ratio != 0)
        return nullptr;
    const unsigned used = registry_.used();
    for (unsigned step = 0; step < used; ++step) {
        unsigned& victim = mine.next_victim;
        victim = victim + 1 < used ? victim + 1 : 0;
        if (victim == slot)
            continue;
        if (task_header* const oldest = places_[victim].queue.try_take_oldest().item) {
            mine.looks = 0;
            return oldest;
        }
    }
    return nullptr;
}

bool distrib_scheduler::has_free_tasks() const noexcept {
    for (unsigned i = 0; i < registry_.used(); ++i) {
        if (places_[i].queue.may_have_items())
            return true;
    }
    return false;
}

template struct on_descriptors<distrib_scheduler>;

}  // namespace teff
