// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pushing to the own queue, and choosing victims in turn.
#include <teff/scheduler/distrib.hpp>

#include <teff/scheduler/make_task_scheduler.hpp>

namespace teff {

distrib_scheduler::distrib_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                                     std::size_t payload_alignment)
    : task_scheduler(settings, idle, payload_size, payload_alignment), places_(settings.slots) {
    for (unsigned i = 0; i < settings.slots; ++i)
        places_[i].next_victim = i;
}

unsigned distrib_scheduler::push_to_queue(unsigned slot, task_header& made) noexcept {
    return places_[slot].queue.push(&made) ? nobody : no_memory;
}

// Called each time the member has found its own queue empty.
task_header* distrib_scheduler::steal_from_others(unsigned slot) noexcept {
    place& mine = places_[slot];
    if (++mine.looks < settings_.distrib_steal_ratio)
        return nullptr;
    mine.looks = 0;
    const unsigned used = registry_.used();
    const auto behind = [used](unsigned victim) { return victim + 1 < used ? victim + 1 : 0; };
    mine.next_victim = behind(mine.next_victim);
    if (mine.next_victim == slot)
        mine.next_victim = behind(slot);
    return mine.next_victim == slot ? nullptr : places_[mine.next_victim].queue.try_take_oldest().item;
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
