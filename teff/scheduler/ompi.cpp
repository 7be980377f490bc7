// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Throttling, and stealing from the other members' rings in turn.
#include <teff/scheduler/ompi.hpp>

#include <teff/base/assert.hpp>
#include <teff/scheduler/make_task_scheduler.hpp>

namespace teff {
namespace {

// The ring's capacity is the bound of this scheduler.
scheduler_settings without_task_limit(scheduler_settings settings) noexcept {
    settings.task_limit = 0;
    return settings;
}

}  // namespace

ompi_scheduler::ompi_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                               std::size_t payload_alignment)
    : task_scheduler(without_task_limit(settings), idle, payload_size, payload_alignment), places_(settings.slots) {}

ompi_scheduler::~ompi_scheduler() {
    for (unsigned i = 0; i < places_.size(); ++i)
        destroy_combiner_node(places_[i].spare);
}

unsigned ompi_scheduler::combining_bound(const scheduler_settings& settings) noexcept {
    constexpr unsigned per_member = 10;
    return settings.ompi_combining_bound != 0 ? settings.ompi_combining_bound : per_member * settings.slots;
}

bool ompi_scheduler::join_slot(unsigned slot, unsigned) noexcept {
    place& mine = places_[slot];
    if (mine.spare == nullptr)
        mine.spare = make_combiner_node();
    if (!mine.is_open)
        mine.is_open =
            mine.spare != nullptr && mine.ring.open(settings_.ompi_queue_size, combining_bound(settings_));
    mine.next_victim = slot;
    return mine.is_open;
}

bool ompi_scheduler::has_room(unsigned slot) noexcept {
    place& mine = places_[slot];
    const std::size_t free = mine.ring.free_slots();
    if (mine.is_throttled)
        mine.is_throttled = free * 10 < settings_.ompi_queue_size * 3;
    else
        mine.is_throttled = free == 0;
    return !mine.is_throttled;
}

unsigned ompi_scheduler::push_to_queue(unsigned slot, task_header& made) noexcept {
    [[maybe_unused]] const bool taken = places_[slot].ring.owner_enqueue(&made);
    TEFF_ASSERT(taken, "a ring with free slots was full");
    return nobody;
}

task_header* ompi_scheduler::pop(unsigned slot) noexcept {
    place& mine = places_[slot];
    // A slot that was never attended has no node to dequeue with.
    return mine.is_open ? mine.ring.dequeue(mine.spare, &mine.combined) : nullptr;
}

task_header* ompi_scheduler::steal_from_others(unsigned slot) noexcept {
    place& mine = places_[slot];
    const unsigned used = registry_.used();
    for (unsigned step = 0; step < used; ++step) {
        combining_ring<task_header*>& ring = places_[mine.next_victim].ring;
        if (task_header* const found = ring.dequeue(mine.spare, &mine.combined))
            return found;
        mine.next_victim = mine.next_victim + 1 < used ? mine.next_victim + 1 : 0;
    }
    return nullptr;
}

bool ompi_scheduler::has_free_tasks() const noexcept {
    for (unsigned i = 0; i < registry_.used(); ++i) {
        if (places_[i].ring.may_have_items())
            return true;
    }
    return false;
}

void ompi_scheduler::add_own_counts(unsigned slot, slot_counts& to) const noexcept {
    to.combining_rounds += places_[slot].combined.rounds;
    to.combined += places_[slot].combined.performed;
}

template struct on_descriptors<ompi_scheduler>;

}  // namespace teff
