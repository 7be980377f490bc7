// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of the runtime to a reduction's body: pool.enq(task) (Blaze-Tasks, Fig. 4b).
//
// The pool holds the member's cursor. The fast path of enq is the scheduler's try_push, inlined into the body.
// Everything else is one out-of-line call that takes and returns the cursor by value. So the pool's address never
// escapes from the task loop, and the cursor can live in registers.
#pragma once

#include <teff/scheduler/scheduler.hpp>

#include <concepts>
#include <cstdint>
#include <utility>

namespace teff::reducing {

// The base of `member` (member.hpp) as far as the pool knows it: the slow path of enq.
template <class Scheduler, class Task>
struct task_context {
    using cursor = typename Scheduler::local;
    cursor (*enq_slow)(task_context&, cursor, Task&);
};
// With such a scheduler the task is in the queue already.
template <class Scheduler, class Task>
    requires placing_scheduler<Scheduler, Task>
struct task_context<Scheduler, Task> {
    using cursor = typename Scheduler::local;
    cursor (*enq_slow)(task_context&, cursor);
};

// Counts: whether the pool counts the tasks that the fast path pushes, for schedulers that do not count them.
template <class Scheduler, class Task, bool Counts = false>
class task_pool {
public:
    using task_type = Task;
    using cursor = typename Scheduler::local;

    using context = task_context<Scheduler, Task>;

    // Only the runtime makes pools.
    task_pool(context& member, cursor start) noexcept : context_(&member), local_(start) {}

    // Adds a task to the reduction; the fast path moves or copies it directly into the queue. The task may run on any
    // thread, in any order, also at once inside this call. Throws what moving or copying the task throws. Any other
    // error (no memory to store the task, an exception of a task that runs at once) cancels the reduction and is thrown
    // to the caller of the reduction, not here.
    void enq(Task&& task) { add(std::move(task)); }
    void enq(const Task& task)
        requires std::copy_constructible<Task>
    {
        add(task);
    }

    cursor& local() noexcept { return local_; }
    std::uint64_t pushed() const noexcept { return pushed_; }

private:
    template <class Given>
    void add(Given&& task) {
        if constexpr (placing_scheduler<Scheduler, Task>) {
            if (local_.place(std::forward<Given>(task))) [[likely]] {
                if constexpr (Counts)
                    ++pushed_;
                return;
            }
            local_ = context_->enq_slow(*context_, local_);
        } else {
            add_or_refuse(std::forward<Given>(task));
        }
    }
    template <class Given>
    void add_or_refuse(Given&& task) {
        if (local_.try_push(std::forward<Given>(task))) [[likely]] {
            if constexpr (Counts)
                ++pushed_;
            return;
        }
        // A separate variable: if the address of the caller's task escaped, that task could not live in registers.
        Task refused(std::forward<Given>(task));
        local_ = context_->enq_slow(*context_, local_, refused);
    }

    context* context_;
    cursor local_;
    std::uint64_t pushed_ = 0;
};

}  // namespace teff::reducing
