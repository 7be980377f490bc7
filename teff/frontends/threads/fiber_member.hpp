// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The member of a thread while the thread runs a fiber. It makes forks, groups and dataflow on the fiber plain calls:
// it refuses every task and says that plenty is queued. So no wait of theirs holds the worker while a fiber is half-way
// through.
//
// The reason is the argument that waits for forks terminate (fork_join.hpp): on a thread's stack all that lies above a
// task began later. A fiber that is entered above a waiting task may have begun earlier. If it waited there for a job,
// and that job lay below another such fiber, which waits for the task below the first one, neither would go on.
//
// It belongs to the worker's visit (fiber_visit.hpp), so a fiber gets another one when another worker enters it.
#pragma once

#include <teff/runtime/task_team.hpp>

#include <cstddef>

namespace teff::threads {

class fiber_member final : public task_member {
public:
    explicit fiber_member(task_member& worker) noexcept : task_member(worker, worker.depth()), worker_(worker) {}
    ~fiber_member() = default;

    task_member& worker() const noexcept { return worker_; }

    bool push(task_header&) noexcept override { return false; }
    task_pools* pools() noexcept override { return worker_.pools(); }
    task_pools* make_pools() noexcept override { return worker_.make_pools(); }
    task_header* take(const take_rules&) noexcept override { return nullptr; }
    void run(task_header& taken) noexcept override {
        ++depth_;
        taken.run(taken);
        --depth_;
    }
    bool take_back(task_header&) noexcept override { return false; }
    bool push_last(task_header&) noexcept override { return false; }
    task_header* take_quickly() noexcept override { return nullptr; }
    // For tasks of a group that other threads have submitted: the fiber looks again each time it has yielded.
    bool wait(const wait_condition& awaited, const wait_rules& rules) noexcept override;

    void show_all() noexcept override { worker_.show_all(); }
    unsigned visible() const noexcept override { return plenty; }
    std::size_t queued() const noexcept override { return plenty; }
    void hand_in_counters() noexcept override {}
    void wait_at_barrier() noexcept override {}
    bool wait_at_cancellable_barrier() noexcept override { return false; }

private:
    static constexpr unsigned plenty = 1U << 20;

    task_member& worker_;
};

}  // namespace teff::threads
