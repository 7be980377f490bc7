// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The team member of a thread while the thread runs a fiber. Forks, groups and dataflow on the fiber use it, and their
// tasks go into the worker's queue. Their waits do not block the worker: they suspend the fiber, and the worker runs
// other tasks on its own stack, among them those that the fiber waits for. The thread that ends the job or the last
// task of the group makes the fiber ready; the handshakes are those of a job's state (fork_join/job.hpp) and of a count
// latch. Only one task runs on the fiber's stack: the job that a fork waits for, if the worker would take it next.
//
// Rejected: running other tasks on top of the fiber's stack while it waits, as threads do. Waits for forks terminate
// because everything below a task on a thread's stack has begun before the task (fork_join.hpp). This does not hold for
// a fiber that is resumed on top of a waiting task: the fiber may have begun earlier. Assume that fiber F, on top of
// task T, waits for a job, and the job lies below another such fiber G, which waits for T. Then neither F nor G can
// continue. A suspended fiber lies on no worker's stack, so nothing is below its wait.
//
// If the scheduler has refused the second function of a fork, the function stays with the fork while the fiber is
// suspended, as with plain forks. To offer it again, each switch would have to walk the list of open forks.
//
// Where the fiber cannot be suspended, such as in a function of a reduction (fiber_state.hpp), forks are plain and the
// tasks of groups run at once. There a wait for tasks that the fiber has submitted before runs other tasks on the
// fiber's stack, as a thread does.
//
// This object belongs to the worker's visit (fiber_visit.hpp): a fiber that another worker enters uses that worker's.
#pragma once

#include <teff/task/task_header.hpp>
#include <teff/team/count_latch.hpp>
#include <teff/team/task_team.hpp>

#include <cstddef>

namespace teff::threads {

// Call these two on a fiber that can be suspended there; afterwards the fiber may be on another worker.
//
// Returns when the job has ended. The calling fiber has made it.
void wait_for_job(task_header& job) noexcept;
// Returns when at some time since the call all tasks had ended; more tasks may have been counted since then.
void wait_for_count(count_latch& count) noexcept;

class fiber_member final : public task_member {
public:
    explicit fiber_member(task_member& worker) noexcept : task_member(worker, worker.depth()), worker_(worker) {}
    ~fiber_member() = default;

    task_member& worker() const noexcept { return worker_; }

    bool push(task_header& made) noexcept override;
    bool push_next(task_header& made) noexcept override { return push(made); }
    task_pools* pools() noexcept override { return worker_.pools(); }
    task_pools* make_pools() noexcept override { return worker_.make_pools(); }
    task_header* take(const take_rules&) noexcept override { return nullptr; }
    bool sees_work(bool) noexcept override { return false; }
    task_header* take_some(bool) noexcept override { return nullptr; }
    void run(task_header& taken) noexcept override {
        ++depth_;
        taken.run(taken);
        --depth_;
    }
    // Do not use this object after the call: another worker may have entered the fiber.
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
    void keep_seat(kept_seat& kept) noexcept override { worker_.keep_seat(kept); }
    void end_keeping_seat(const kept_seat& kept) noexcept override { worker_.end_keeping_seat(kept); }
    void show_all() noexcept override { worker_.show_all(); }
    unsigned visible() const noexcept override;
    std::size_t queued() const noexcept override;
    void hand_in_counters() noexcept override {}
    void wait_at_barrier() noexcept override {}
    bool wait_at_cancellable_barrier() noexcept override { return false; }

private:
    static constexpr unsigned unlimited = 1U << 20;

    void wait_on_thread(const wait_condition& awaited, const wait_rules& rules) noexcept;

    task_member& worker_;
};

}  // namespace teff::threads
