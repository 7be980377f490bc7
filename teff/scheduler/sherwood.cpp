// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stealing between shepherds.
#include <teff/scheduler/sherwood.hpp>

#include <teff/scheduler/make_task_scheduler.hpp>

#include <algorithm>

namespace teff {

sherwood_scheduler::sherwood_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                                       std::size_t payload_alignment)
    : task_scheduler(settings, idle, payload_size, payload_alignment), shepherds_(settings),
      queues_(shepherds_.count()), places_(settings.slots) {}

bool sherwood_scheduler::join_slot(unsigned slot, unsigned worker) noexcept {
    shepherds_.join_slot(slot, worker);
    places_[slot].next_victim = shepherds_.of(slot);
    return true;
}

unsigned sherwood_scheduler::push_to_queue(unsigned slot, task_header& made) noexcept {
    queue_of(slot).push(made);
    return nobody;
}

task_header* sherwood_scheduler::steal_from_others(unsigned slot) noexcept {
    unsigned& victim = places_[slot].next_victim;
    const unsigned own = shepherds_.of(slot);
    const unsigned count = queues_.size();
    for (unsigned step = 0; step < count; ++step) {
        if (victim != own) {
            node_chain<task_header> loot = queues_[victim].take(loot_size(own));
            if (task_header* const first = loot.take_first()) {
                // No worker is woken here for the rest: a member that has found something checks whether there is
                // more and wakes one (team::search).
                queues_[own].push(loot);
                return first;
            }
        }
        victim = victim + 1 < count ? victim + 1 : 0;
    }
    return nullptr;
}

// How many tasks a thief of the shepherd `own` takes. The number of members includes the thief.
unsigned sherwood_scheduler::loot_size(unsigned own) const noexcept {
    return settings_.sherwood_steal != 0 ? settings_.sherwood_steal : std::max(shepherds_.members(own), 1U);
}

bool sherwood_scheduler::has_free_tasks() const noexcept {
    for (unsigned i = 0; i < queues_.size(); ++i) {
        if (queues_[i].may_have_items())
            return true;
    }
    return false;
}

template struct on_descriptors<sherwood_scheduler>;

}  // namespace teff
