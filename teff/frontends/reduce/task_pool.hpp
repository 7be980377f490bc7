// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a body sees of the runtime: pool.enq(task) (Blaze-Tasks, Fig. 4b).
//
// It holds the member's cursor. The fast path of enq is the scheduler's try_push, inlined into the body; everything
// else is one out-of-line call that takes and returns the cursor by value, so that the pool's address never escapes
// from the task loop and the cursor can live in registers.
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>

namespace teff::reduction {

// What the slow path needs to run a refused task at once; the task loop fills it in.
template <class Scheduler, class Task>
struct task_context {
    using cursor = typename Scheduler::local;
    cursor (*enq_slow)(task_context&, cursor, Task&);
};

// Counts: whether it counts what goes straight into the queue, for schedulers that do not.
template <class Scheduler, class Task, bool Counts = false>
class task_pool {
public:
    using task_type = Task;
    using cursor = typename Scheduler::local;

    using context = task_context<Scheduler, Task>;

    // Only the runtime makes pools.
    task_pool(context& member, cursor start) noexcept : context_(&member), local_(start) {}

    // Adds a task to the reduction, moved or copied straight to where it waits. It may run on any thread, in any order,
    // also at once inside this call. Throws what moving or copying the task throws. What else goes wrong (no memory to
    // store it, a task run at once that throws) cancels the reduction and reaches its caller, not this one.
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
        if (local_.try_push(std::forward<Given>(task))) [[likely]] {
            if constexpr (Counts)
                ++pushed_;
            return;
        }
        // A variable of its own: the address of the caller's must not escape, or it could not live in registers.
        Task refused(std::forward<Given>(task));
        local_ = context_->enq_slow(*context_, local_, refused);
    }

    context* context_;
    cursor local_;
    std::uint64_t pushed_ = 0;
};

}  // namespace teff::reduction
