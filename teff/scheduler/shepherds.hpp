// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which workers share a queue (Qthreads' shepherds): the workers of one socket, or of one of as many groups as the
// option `shepherds` says.
//
//   join_slot, leave_slot   the member of the slot
//   the rest                any thread
// A slot belongs to the shepherd of its member's worker, so its shepherd may change when its member changes.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/machine/topology.hpp>
#include <teff/scheduler/settings.hpp>
#include <teff/scheduler/slots.hpp>

#include <algorithm>

namespace teff {

class shepherds {
public:
    // Throws std::bad_alloc.
    explicit shepherds(const scheduler_settings& settings)
        : machine_(settings.shepherds == 0 ? settings.machine : nullptr), count_(count_for(settings)),
          groups_(count_), shepherd_of_(settings.slots) {}

    // The number of shepherds: 1 to the number of slots, or the number of sockets.
    unsigned count() const noexcept { return count_; }
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

    void join_slot(unsigned slot, unsigned worker) noexcept {
        const unsigned mine = machine_ != nullptr ? static_cast<unsigned>(machine_->socket_of_worker(worker))
                                                  : worker % count_;
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
    };
    static unsigned count_for(const scheduler_settings& settings) noexcept {
        if (settings.shepherds != 0)
            return std::min(settings.shepherds, settings.slots);
        return settings.machine == nullptr ? 1 : static_cast<unsigned>(settings.machine->socket_count());
    }

    const topology* machine_;  // nullptr: workers are dealt to the shepherds in turn
    unsigned count_;
    slots<group> groups_;
    slots<atomic<unsigned>> shepherd_of_;
};

}  // namespace teff
