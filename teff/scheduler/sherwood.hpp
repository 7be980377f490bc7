// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler Sherwood of Qthreads (Evans and others, ROSS 2017, section 3.1): one LIFO per shepherd, which its
// workers share; thieves from other shepherds take several tasks at once, the oldest.
//
//   shepherd 0 (members 0, 2)   head -> o o o o <- tail   pushed and popped at the tail
//   shepherd 1 (members 1, 3)   head ->         <- tail   empty: a member that runs dry takes tasks from the head of
//                                                         the next shepherd that has some, as many as its own
//                                                         shepherd has workers (an option)
//
// The workers of a shepherd share memory and mostly a cache, so they share the newest tasks; tasks that move between
// shepherds move several at a time.
//
// Differs from the paper: waiting workers form a line, spin, and then yield, where the paper's sleep
// (locked_deque.hpp). A thief that finds the queue in use goes on to the next shepherd.
//
// The team does not starve: any worker can take any queued task. A single old task may wait for a long time, behind
// newer ones.
#pragma once

#include <teff/queue/locked_deque.hpp>
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

    task_header* steal_from(unsigned victim, unsigned slot) noexcept;
    unsigned loot_size(unsigned own) const noexcept;
    locked_deque<task_header*>& queue_of(unsigned slot) noexcept { return queues_[shepherds_.of(slot)]; }

    shepherds shepherds_;
    slots<locked_deque<task_header*>> queues_;
    slots<place> places_;
};

}  // namespace teff
