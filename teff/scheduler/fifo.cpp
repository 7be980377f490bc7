// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dealing tasks to the shepherds in turn, and taking tasks from shepherds that miss members.
#include <teff/scheduler/fifo.hpp>

#include <teff/scheduler/make_task_scheduler.hpp>

#include <new>

namespace teff {

fifo_scheduler::fifo_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                               std::size_t payload_alignment)
    : task_scheduler(settings, idle, payload_size, payload_alignment),
      reclaimer_(settings.slots, settings.epoch_threshold), shepherds_(settings, fifo::traits().shepherds),
      groups_(shepherds_.count()), places_(settings.slots) {
    if (!reclaimer_.valid())
        throw std::bad_alloc();
    for (unsigned i = 0; i < groups_.size(); ++i)
        groups_[i].tasks.emplace(reclaimer_);
    prepare_for_idle_workers();
}

bool fifo_scheduler::join_slot(unsigned slot, unsigned worker) noexcept {
    shepherds_.join_slot(slot, worker);
    places_[slot].last_group = shepherds_.of(slot);
    return true;
}

// Where each worker is a shepherd, those behind the last slot in use have never had a task.
unsigned fifo_scheduler::groups_in_use() const noexcept {
    return shepherds_.are_per_worker() ? registry_.used() : groups_.size();
}

// The next shepherd in turn that has a member; there is one, the calling member's own. If each worker is a shepherd and
// some worker is idle, also a vacant one: a worker that joins there finds its share of the tasks.
unsigned fifo_scheduler::next_group(unsigned& last) const noexcept {
    const unsigned count = groups_in_use();
    do
        last = last + 1 < count ? last + 1 : 0;
    while (shepherds_.members(last) == 0 && !(shepherds_.are_per_worker() && idle_.any()));
    return last;
}

unsigned fifo_scheduler::push_to_queue(unsigned slot, task_header& made) noexcept {
    unsigned to = takes_beyond_limit(slot) ? dry_group() : nobody;
    if (to == nobody)
        to = next_group(places_[slot].last_group);
    if (!groups_[to].tasks->push(slot, &made))
        return no_memory;
    if (shepherds_.are_per_worker())
        return to;
    return shepherds_.of(0) == to ? 0 : nobody;
}

task_header* fifo_scheduler::pop(unsigned slot) noexcept {
    const unsigned own = shepherds_.of(slot);
    if (settings_.rescue) [[unlikely]]
        groups_[own].looked.note();
    return take(own, slot);
}

task_header* fifo_scheduler::take(unsigned shepherd, unsigned slot) noexcept {
    queue& tasks = *groups_[shepherd].tasks;
    return tasks.may_have_items() ? tasks.pop(slot) : nullptr;
}

task_header* fifo_scheduler::steal_from_others(unsigned slot) noexcept {
    for (unsigned i = 0; i < groups_in_use(); ++i) {
        if (!shepherds_.misses_members(i) && !(rescues() && groups_[i].looked.is_long_ago()))
            continue;
        if (task_header* const found = take(i, slot))
            return found;
    }
    return nullptr;
}

bool fifo_scheduler::has_free_tasks() const noexcept {
    const bool includes_attended = rescues();
    for (unsigned i = 0; i < groups_in_use(); ++i) {
        if ((includes_attended || shepherds_.misses_members(i)) && groups_[i].tasks->may_have_items())
            return true;
    }
    return false;
}

bool fifo_scheduler::has_bound_tasks(unsigned slot) const noexcept {
    return groups_[shepherds_.of(slot)].tasks->may_have_items();
}

unsigned fifo_scheduler::dry_group() const noexcept {
    for (unsigned i = 0; i < groups_in_use(); ++i) {
        if (shepherds_.members(i) != 0 && !groups_[i].tasks->may_have_items())
            return i;
    }
    return nobody;
}

template struct on_descriptors<fifo_scheduler>;

}  // namespace teff
