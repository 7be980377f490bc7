// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler Sherwood of Qthreads (Evans and others, ROSS 2017, section 3.1): one LIFO per shepherd, which its
// workers share under a mutex; thieves from other shepherds take several tasks at once.
//
//   shepherd 0 (members 0, 2)   head -> o -> o -> o    pushed and popped at the head
//   shepherd 1 (members 1, 3)   head ->                empty: a member that runs dry takes tasks from the next shepherd
//                                                      that has some, as many as its own shepherd has workers (an
//                                                      option)
//
// The workers of a shepherd share a cache, so they share the newest tasks; tasks that move between shepherds move
// several at a time. Thieves take from the head, too: the paper implies it in section 3.3, which says of Distrib that
// it `still` does so.
//
// The team does not starve: any worker can take any queued task. A single old task may wait for a long time, below
// newer ones.
#pragma once

#include <teff/queue/locked_lifo.hpp>
#include <teff/scheduler/shepherds.hpp>
#include <teff/scheduler/task_scheduler.hpp>

namespace teff {

class sherwood_scheduler final : public task_scheduler {
public:
    // Throws std::bad_alloc.
    sherwood_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                       std::size_t payload_alignment);

private:
    struct alignas(false_sharing_range) place {
        unsigned next_victim = 0;  // only the member uses it
    };

    bool join_slot(unsigned slot, unsigned worker) noexcept override;
    void leave_slot(unsigned slot) noexcept override { shepherds_.leave_slot(slot); }
    bool has_room(unsigned) noexcept override { return true; }
    unsigned push_to_queue(unsigned slot, task_header& made) noexcept override;
    task_header* pop(unsigned slot) noexcept override { return queue_of(slot).pop(); }
    task_header* steal_from_others(unsigned slot) noexcept override;
    bool has_free_tasks() const noexcept override;
    bool has_bound_tasks(unsigned) const noexcept override { return false; }

    unsigned loot_size(unsigned own) const noexcept;
    locked_lifo<task_header>& queue_of(unsigned slot) noexcept { return queues_[shepherds_.of(slot)]; }

    shepherds shepherds_;
    slots<locked_lifo<task_header>> queues_;
    slots<place> places_;
};

}  // namespace teff
