// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler Nemesis of Qthreads (Evans and others, ROSS 2017, section 3.2): a FIFO per worker into which everybody
// puts new tasks in turn, and from which nobody else takes.
//
//   member 0   push 1, 4, 7 ->  o o o  -> runs
//   member 1   push 2, 5, 8 ->  o o    -> runs      one exchange per push, no contention but between producers
//   member 2   push 3, 6    ->  o o    -> runs
//
// No starvation, on this condition: a task waits until the worker that it was given to has finished what it runs.
// Teams here are elastic, Qthreads' shepherds are not: new tasks go to the members that are there, and what reaches a
// slot after its member has left is taken by any member that runs dry (consumer_token.hpp).
#pragma once

#include <teff/queue/nemesis_queue.hpp>
#include <teff/scheduler/task_scheduler.hpp>

namespace teff {

class nemesis_scheduler final : public task_scheduler {
public:
    // Throws std::bad_alloc.
    nemesis_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                      std::size_t payload_alignment);

private:
    struct alignas(false_sharing_range) place {
        nemesis_queue<task_header> queue;
        member_registry::round_robin turns;  // the member's
    };

    bool attend(unsigned slot, unsigned worker) noexcept override;
    void vacate(unsigned) noexcept override {}
    bool has_room(unsigned) noexcept override { return true; }
    unsigned push_to_queue(unsigned slot, task_header& made) noexcept override;
    task_header* pop(unsigned slot) noexcept override { return places_[slot].queue.pop(); }
    task_header* steal_from_others(unsigned slot) noexcept override;
    bool has_free_tasks() const noexcept override;
    bool has_bound_tasks(unsigned slot) const noexcept override { return places_[slot].queue.may_have_items(); }
    bool has_dry_queue() const noexcept override { return dry_slot() != member_registry::round_robin::nobody; }

    // That has a member, and an empty queue; or nobody.
    unsigned dry_slot() const noexcept;

    slots<place> places_;
};

}  // namespace teff
