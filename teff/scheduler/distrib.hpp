// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler Distrib of Qthreads (Evans and others, ROSS 2017, section 3.3): a lock-free LIFO per worker, from which
// others take one task at a time.
//
//   member 0   head -> o -> o -> o     pushed and popped at the head; thieves take from the head, too
//   member 1   head ->                 empty: looks at itself STEAL_RATIO times for each look at the next victim
//
// A member without work that has looked around for COND_BACKOFF cycles sleeps; sleepers are counted, and an enqueue
// wakes one. That is what idle members of every team here do (team.hpp, hunger.hpp); only the time comes from
// COND_BACKOFF (launch.cpp). The condition variable is a futex. A worker leaves the team for that, and so looks for
// other teams' work once more, for spin_us.
//
// No starvation of the team: every queued task can be taken by any worker. A single old task may wait for long, below
// newer ones.
#pragma once

#include <teff/queue/distrib_queue.hpp>
#include <teff/scheduler/task_scheduler.hpp>

#include <optional>

namespace teff {

class distrib_scheduler final : public task_scheduler {
public:
    // Throws std::bad_alloc.
    distrib_scheduler(const scheduler_settings& settings, hunger& idle, std::size_t payload_size,
                      std::size_t payload_alignment);

private:
    struct alignas(false_sharing_range) place {
        std::optional<distrib_queue<task_descriptor, descriptor_pool>> queue;
        // the member. Kept from one to the next, who may not stay for a whole round.
        alignas(false_sharing_range) unsigned next_victim = 0;
        unsigned looks = 0;
    };

    bool attend(unsigned, unsigned) noexcept override { return true; }
    void vacate(unsigned) noexcept override {}
    bool has_room(unsigned) noexcept override { return true; }
    unsigned push_to_queue(unsigned slot, task_header& made) noexcept override;
    task_header* pop(unsigned slot) noexcept override { return places_[slot].queue->pop(); }
    task_header* steal_from_others(unsigned slot) noexcept override;
    bool has_free_tasks() const noexcept override;
    bool has_bound_tasks(unsigned) const noexcept override { return false; }

    slots<place> places_;
};

}  // namespace teff
