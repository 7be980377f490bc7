// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which workers share a queue (Qthreads' shepherds; Evans and others, ROSS 2017, section 2.3 and table 1): each worker
// has its own, or those of one NUMA domain share one, or workers are dealt to a number of shepherds in turn.
//
// shepherd_rule computes a member's shepherd from the options. `shepherds` counts the members of each shepherd of a
// scheduler.
//
//   join_slot, leave_slot   the member of the slot
//   the rest                any thread
// A slot belongs to the shepherd of its member's worker, so its shepherd may change when its member changes.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/machine/topology.hpp>
#include <teff/scheduler/settings.hpp>
#include <teff/scheduler/slots.hpp>

#include <algorithm>

namespace teff {

// Constant.
class shepherd_rule {
public:
    // `usual`: the scheduler's own choice, for settings that make none.
    shepherd_rule(const scheduler_settings& settings, int usual) noexcept
        : machine_(settings.machine),
          kind_(settings.shepherds != scheduler_settings::usual_shepherds ? settings.shepherds : usual),
          count_(count_for(settings)) {}

    // The number of shepherds: 1 to the number of slots, or the number of NUMA domains.
    unsigned count() const noexcept { return count_; }
    // Whether each slot is a shepherd, with the same number.
    bool are_per_worker() const noexcept { return kind_ == scheduler_settings::shepherd_per_worker; }
    // Whether each shepherd is a NUMA domain.
    bool are_per_numa() const noexcept { return kind_ == scheduler_settings::shepherd_per_numa; }
    // The shepherd of a worker that is the member of that slot.
    unsigned of(unsigned slot, unsigned worker) const noexcept {
        if (are_per_numa())
            return machine_ == nullptr ? 0 : static_cast<unsigned>(machine_->numa_of_worker(worker));
        return are_per_worker() ? slot : worker % count_;
    }

private:
    unsigned count_for(const scheduler_settings& settings) const noexcept {
        if (are_per_numa())
            return machine_ == nullptr ? 1 : static_cast<unsigned>(machine_->numa_count());
        return are_per_worker() ? settings.slots : std::min(static_cast<unsigned>(kind_), settings.slots);
    }

    const topology* const machine_;  // nullptr: one NUMA domain
    const int kind_;                 // as in the settings: a number, or one of the constants
    const unsigned count_;
};

class shepherds {
public:
    // Throws std::bad_alloc.
    shepherds(const scheduler_settings& settings, int usual)
        : rule_(settings, usual), groups_(rule_.count()), shepherd_of_(settings.slots) {
        for (unsigned slot = 0; slot < settings.slots; ++slot)
            ++groups_[rule_.of(slot, slot)].workers;
    }

    unsigned count() const noexcept { return rule_.count(); }
    bool are_per_worker() const noexcept { return rule_.are_per_worker(); }
    // The shepherd of the slot's present member, or of its last one.
    unsigned of(unsigned slot) const noexcept {
        // relaxed: written by the slot's member; for other threads a hint.
        return shepherd_of_[slot].load(std::memory_order_relaxed);
    }
    // Members of that shepherd now: a hint.
    unsigned members(unsigned shepherd) const noexcept {
        // relaxed: a hint.
        return groups_[shepherd].members.load(std::memory_order_relaxed);
    }
    // Whether it has no member, or fewer members than in a full team. A hint.
    bool misses_members(unsigned shepherd) const noexcept {
        const unsigned there = members(shepherd);
        return there == 0 || there < groups_[shepherd].workers;
    }

    void join_slot(unsigned slot, unsigned worker) noexcept {
        const unsigned mine = rule_.of(slot, worker);
        // relaxed, both: hints for others.
        shepherd_of_[slot].store(mine, std::memory_order_relaxed);
        groups_[mine].members.fetch_add(1, std::memory_order_relaxed);
    }
    void leave_slot(unsigned slot) noexcept {
        // relaxed: a hint.
        groups_[of(slot)].members.fetch_sub(1, std::memory_order_relaxed);
    }

private:
    struct alignas(cache_line_size) group {
        atomic<unsigned> members{0};
        unsigned workers = 0;  // constant
    };

    const shepherd_rule rule_;
    slots<group> groups_;
    slots<atomic<unsigned>> shepherd_of_;
};

}  // namespace teff
