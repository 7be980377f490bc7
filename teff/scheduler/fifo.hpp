// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first scheduler of Qthreads (Evans and others, ROSS 2017, section 3): one lock-free FIFO per shepherd, and no
// stealing between shepherds.
//
//   shepherd 0 (member 0)   push 1, 3 ->  o o  -> run
//   shepherd 1 (member 1)   push 2, 4 ->  o o  -> run
//
// New tasks go to the shepherds in turn. Qthreads does the same with threads that are started without a target
// shepherd. As in the paper each worker is a shepherd; with the option `shepherds` several workers share a queue, and
// the member that pops first runs the task.
//
// No starvation, on one condition: a task waits for all tasks ahead of it in its queue, and until a worker of its
// shepherd has finished the task that it runs. The shepherds of Qthreads are fixed; teams here are elastic. So new
// tasks go to shepherds that have members, and while a shepherd has fewer members than workers, any member that runs
// dry may take its tasks. With the option `rescue` it may also take those of a shepherd whose members are all inside
// long tasks.
#pragma once

#include <teff/queue/fifo_queue.hpp>
#include <teff/reclaim/epoch.hpp>
#include <teff/scheduler/shepherds.hpp>
#include <teff/scheduler/task_scheduler.hpp>

#include <optional>

namespace teff {

class fifo_scheduler final : public task_scheduler {
public:
    // Throws std::bad_alloc.
    fifo_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                   std::size_t payload_alignment);

private:
    using queue = fifo_queue<task_header*, epoch_reclaimer>;
    struct alignas(false_sharing_range) group {
        std::optional<queue> tasks;
        last_look looked;  // of any of its members; with the option `rescue` only
    };
    struct alignas(false_sharing_range) place {
        unsigned last_group = 0;  // only the member uses it
    };

    bool join_slot(unsigned slot, unsigned worker) noexcept override;
    void leave_slot(unsigned slot) noexcept override { shepherds_.leave_slot(slot); }
    bool has_room(unsigned) noexcept override { return true; }
    unsigned push_to_queue(unsigned slot, task_header& made) noexcept override;
    task_header* pop(unsigned slot) noexcept override;
    task_header* steal_from_others(unsigned slot) noexcept override;
    bool has_free_tasks() const noexcept override;
    bool has_bound_tasks(unsigned slot) const noexcept override;
    bool has_dry_queue() const noexcept override { return dry_group() != nobody; }

    // A shepherd that has a member and an empty queue, or `nobody`.
    unsigned dry_group() const noexcept;
    unsigned groups_in_use() const noexcept;
    unsigned next_group(unsigned& last) const noexcept;
    task_header* take(unsigned shepherd, unsigned slot) noexcept;

    epoch_reclaimer reclaimer_;
    shepherds shepherds_;
    slots<group> groups_;  // declared after the reclaimer, which their destructors use
    slots<place> places_;
};

}  // namespace teff
