// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler Distrib of Qthreads (Evans and others, ROSS 2017, section 3.3): one LIFO per worker; thieves take one
// task at a time from its other end.
//
//   member 0   head -> o o o <- tail   pushed and popped at the tail; thieves take from the head, the oldest first
//   member 1   head ->       <- tail   empty: looks into its own queue STEAL_RATIO times for each victim that it tries
//
// Differs from the paper: the paper's queue is lock-free; ours has a lock, which thieves only try to take
// (locked_deque.hpp gives the reasons).
//
// In the paper, a member without work searches for COND_BACKOFF cycles and then sleeps on a condition variable;
// sleepers are counted, and an enqueue wakes one. Idle members of every team here do the same (team.hpp,
// idle_tracker.hpp), with a futex as the condition variable. Only the time is taken from COND_BACKOFF
// (team_options.cpp). A worker leaves the team before it sleeps, so it then searches other teams for work, for
// another spin_us.
//
// The team does not starve: any worker can take any queued task. A single old task may wait for a long time, behind
// newer ones, while no member steals.
#pragma once

#include <teff/queue/locked_deque.hpp>
#include <teff/scheduler/task_scheduler.hpp>

namespace teff {

class distrib_scheduler final : public task_scheduler {
public:
    // Throws std::bad_alloc.
    distrib_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                      std::size_t payload_alignment);

private:
    struct alignas(false_sharing_range) place {
        locked_deque<task_header*> queue;
        // only the member uses these; kept for the slot's next member, since members may leave before they have tried
        // every victim
        alignas(false_sharing_range) unsigned next_victim = 0;
        unsigned looks = 0;
    };

    bool join_slot(unsigned, unsigned) noexcept override { return true; }
    void leave_slot(unsigned) noexcept override {}
    bool has_room(unsigned) noexcept override { return true; }
    unsigned push_to_queue(unsigned slot, task_header& made) noexcept override;
    task_header* pop(unsigned slot) noexcept override { return places_[slot].queue.pop(); }
    task_header* steal_from_others(unsigned slot) noexcept override;
    bool has_free_tasks() const noexcept override;
    bool has_bound_tasks(unsigned) const noexcept override { return false; }

    slots<place> places_;
};

}  // namespace teff
