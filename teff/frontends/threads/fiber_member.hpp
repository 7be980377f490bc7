// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The member of a thread while the thread runs a fiber: forks, groups and dataflow on the fiber use it. Their tasks are
// queued as those of the worker. A wait of theirs holds no worker: the fiber is left (task_wait.hpp), and the worker
// goes on with other tasks on its own stack, among them those that the fiber waits for. It runs one task on the fiber's
// stack: the job that a fork waits for, if the worker would take it next.
//
// Rejected: to run other tasks on top of the fiber's stack while it waits, as threads do. Waits for forks terminate,
// since a thread begins a wait after it has begun all that lies below on its stack (fork_join.hpp). A fiber that is
// entered on top of a waiting task may have begun before that task. If it waited there for a job, and the job lay below
// another such fiber, which waits for the task below the first one, neither would go on. A fiber that is left waits on
// no stack, so nothing lies below its wait.
//
// A fork whose second function the scheduler has refused keeps it when the fiber is left, as plain forks keep theirs:
// to show it then, each switch would have to walk the list of open forks.
//
// Where the fiber cannot be left (fiber_state.hpp), in a function of a reduction, forks are plain and groups' tasks run
// at once. A wait for tasks that the fiber has submitted before runs other tasks there, as on a thread.
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

    bool push(task_header& made) noexcept override;
    task_pools* pools() noexcept override { return worker_.pools(); }
    task_pools* make_pools() noexcept override { return worker_.make_pools(); }
    task_header* take(const take_rules&) noexcept override { return nullptr; }
    void run(task_header& taken) noexcept override {
        ++depth_;
        taken.run(taken);
        --depth_;
    }
    // The object may not be used afterwards, since another worker may have entered the fiber.
    bool wait(const wait_condition& awaited, const wait_rules& rules) noexcept override;
    bool take_back(task_header&) noexcept override { return false; }
    bool push_last(task_header&) noexcept override { return false; }
    task_header* take_quickly() noexcept override { return nullptr; }
    next_task take_in_place_of(task_header&) noexcept override { return {nullptr, false}; }
    bool takes_newest() const noexcept override { return false; }

    unsigned shepherd() noexcept override { return worker_.shepherd(); }
    bool sits_at(unsigned shepherd) noexcept override { return worker_.sits_at(shepherd); }
    void end_look() noexcept override {}
    void give_up_seat() noexcept override;
    void keep_seat(kept_seat& here) noexcept override { worker_.keep_seat(here); }
    void end_keeping_seat(const kept_seat& here) noexcept override { worker_.end_keeping_seat(here); }
    void show_all() noexcept override { worker_.show_all(); }
    unsigned visible() const noexcept override;
    std::size_t queued() const noexcept override;
    void hand_in_counters() noexcept override {}
    void wait_at_barrier() noexcept override {}
    bool wait_at_cancellable_barrier() noexcept override { return false; }

private:
    static constexpr unsigned plenty = 1U << 20;

    void wait_on_thread(const wait_condition& awaited, const wait_rules& rules) noexcept;

    task_member& worker_;
};

}  // namespace teff::threads
