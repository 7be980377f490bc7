// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler Distrib of Qthreads (Evans and others, ROSS 2017, section 3.3): a LIFO per worker, from whose other end
// others take one task at a time.
//
//   member 0   head -> o o o <- tail   pushed and popped at the tail; thieves take from the head, the oldest first
//   member 1   head ->       <- tail   empty: looks at itself STEAL_RATIO times for each look at the next victim
//
// Differs from the paper: its queue is lock-free, ours has a lock, which thieves only try (locked_deque.hpp says why).
//
// A member without work that has looked around for COND_BACKOFF cycles sleeps; sleepers are counted, and an enqueue
// wakes one. That is what idle members of every team here do (team.hpp, idle_tracker.hpp); only the time comes from
// COND_BACKOFF (team_options.cpp). The condition variable is a futex. A worker leaves the team for that, and so looks
// for other teams' work once more, for spin_us.
//
// No starvation of the team: every queued task can be taken by any worker. A single old task may wait for long, behind
// newer ones, while nobody steals.
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
        // the member. Kept from one to the next, who may not stay for a whole round.
        alignas(false_sharing_range) unsigned next_victim = 0;
        unsigned looks = 0;
    };

    bool attend(unsigned, unsigned) noexcept override { return true; }
    void vacate(unsigned) noexcept override {}
    bool has_room(unsigned) noexcept override { return true; }
    unsigned push_to_queue(unsigned slot, task_header& made) noexcept override;
    task_header* pop(unsigned slot) noexcept override { return places_[slot].queue.pop(); }
    task_header* steal_from_others(unsigned slot) noexcept override;
    bool has_free_tasks() const noexcept override;
    bool has_bound_tasks(unsigned) const noexcept override { return false; }

    slots<place> places_;
};

}  // namespace teff
