// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header at the start of every task: the function to run, the pool of its memory, its state, and the link of the
// queue that holds it. Only reductions also schedule something else: the user's values, in queues that hold values.
//
//   a fork's second function    header | list of jobs | function, result      in the frame of the fork
//   a task of a group           header | owner's list | group, function       in a descriptor of its owner's pool
//   a coroutine                 header | group, handle                        in the coroutine's frame
//   an item of a reduction      header | owner's list | item                  where queues hold pointers: a descriptor
//
// There is no virtual table: `run` is the only function that is called through a task.
//
//               constant while others can see the task    run, owner, priority
//               written by the queue that holds it        next
//               depends on the kind of task               state
// run() may destroy the task, so the thread that calls it must not touch the task afterwards.
#pragma once

#include <teff/base/atomic.hpp>

#include <cstdint>

namespace teff {

class descriptor_pool;

struct task_header {
    using function = void (*)(task_header&) noexcept;

    // Bits of `state`.
    static constexpr std::uint32_t unfinished = 1;  // a fork's job: set while the thread that takes it may still use it
    static constexpr std::uint32_t has_run = 2;     // a fork's job: it has run and has an outcome
    static constexpr std::uint32_t cancelled = 4;   // must not be started any more
    static constexpr std::uint32_t begun = 8;       // a fork's job: the thread that took it has started it
    static constexpr std::uint32_t returned = 16;   // a descriptor: its owner may use it again
    static constexpr std::uint32_t has_waiter = 32;  // a fork's job: its end wakes the fiber that made it

    task_header() noexcept = default;
    explicit task_header(function what) noexcept : run(what) {}
    task_header(const task_header&) = delete;
    task_header& operator=(const task_header&) = delete;

    // A bit of `priority`: the task is bound to the shepherd whose number is the rest of the word.
    static constexpr std::uint32_t bound = std::uint32_t{1} << 31;

    bool is_bound() const noexcept { return (priority & bound) != 0; }
    unsigned shepherd() const noexcept { return priority & ~bound; }

    function run = nullptr;
    descriptor_pool* owner = nullptr;  // the pool that the memory is returned to; nullptr: it is from no pool
    atomic<task_header*> next{nullptr};
    atomic<std::uint32_t> state{0};
    std::uint32_t priority = 0;  // larger is more urgent; 0: no priority; or `bound` (team/bound_tasks.hpp)
};

}  // namespace teff
