// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stealing between shepherds.
#include <teff/scheduler/sherwood.hpp>

#include <algorithm>

namespace teff {

sherwood_scheduler::sherwood_scheduler(const scheduler_settings& settings, hunger& idle, std::size_t payload_size,
                                       std::size_t payload_alignment)
    : task_scheduler(settings, idle, payload_size, payload_alignment), shepherds_(settings),
      queues_(shepherds_.count()), next_victim_(settings.slots) {}

bool sherwood_scheduler::attend(unsigned slot, unsigned worker) noexcept {
    shepherds_.attend(slot, worker);
    next_victim_[slot] = shepherds_.of(slot);
    return true;
}

unsigned sherwood_scheduler::push_to_queue(unsigned slot, task_descriptor& made) noexcept {
    queue_of(slot).push(made);
    return nobody;
}

task_descriptor* sherwood_scheduler::steal_from_others(unsigned slot) noexcept {
    unsigned& victim = next_victim_[slot];
    const unsigned count = queues_.size();
    for (unsigned step = 0; step < count; ++step) {
        if (queues_[victim].may_have_items())
            if (task_descriptor* const first = queues_[victim].pop())
                return first;
        victim = victim + 1 < count ? victim + 1 : 0;
    }
    return nullptr;
}

bool sherwood_scheduler::has_free_tasks() const noexcept {
    for (unsigned i = 0; i < queues_.size(); ++i) {
        if (queues_[i].may_have_items())
            return true;
    }
    return false;
}

}  // namespace teff
