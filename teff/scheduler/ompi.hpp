// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler of OMPi's tasking (Agathos and others, Euro-Par 2012): a small ring per worker, from which all
// members dequeue by combining. While a member's ring is full, its new tasks run at once.
//
//   member 0   [ o o o o . . ]  oldest task first, for the member itself as for thieves
//   member 1   [ . . . . . . ]  empty: its member traverses the rings of the others
//
// A member creates tasks breadth-first: a new task goes to its ring, and the member continues with its present task.
// Once the ring is full the member is throttled: each new task is refused, so it runs at once, with its children, on
// data that its creator has in its caches. A throttled member looks at its ring before each new task, and stops
// throttling when 30% of the ring is free (section 2.1).
//
// One member performs at most `ompi_combining_bound` dequeues in a row for all members that wait for the same ring. By
// default the bound is ten for each member, so that in one round each can be served several times. The paper gives no
// number.
//
// No starvation: any worker can take any queued task, the oldest first, and dequeue requests are served in order.
#pragma once

#include <teff/queue/combining_ring.hpp>
#include <teff/scheduler/task_scheduler.hpp>

namespace teff {

class ompi_scheduler final : public task_scheduler {
public:
    // Throws std::bad_alloc.
    ompi_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                   std::size_t payload_alignment);
    ~ompi_scheduler() override;

    // How many dequeues a combiner performs before it hands the role over.
    static unsigned combining_bound(const scheduler_settings& settings) noexcept;

private:
    struct alignas(false_sharing_range) place {
        combining_ring<task_header*> ring;
        // only the member uses these
        alignas(false_sharing_range) combiner_node* spare = nullptr;
        combining_counts combined;
        unsigned next_victim = 0;
        bool is_open = false;
        bool is_throttled = false;
    };

    bool join_slot(unsigned slot, unsigned worker) noexcept override;
    void leave_slot(unsigned) noexcept override {}
    bool has_room(unsigned slot) noexcept override;
    unsigned push_to_queue(unsigned slot, task_header& made) noexcept override;
    task_header* pop(unsigned slot) noexcept override;
    task_header* steal_from_others(unsigned slot) noexcept override;
    bool has_free_tasks() const noexcept override;
    bool has_bound_tasks(unsigned) const noexcept override { return false; }
    void add_own_counts(unsigned slot, slot_counts& to) const noexcept override;

    slots<place> places_;
};

}  // namespace teff
