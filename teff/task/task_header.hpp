// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header that every scheduled thing begins with: what to run, whose memory it is in, its state, and the link of
// the queue that holds it. Only reductions schedule other things, namely the user's own values.
//
//   a fork's second function    header | list of jobs | function, result      in the frame of the fork
//   a task of a group           header | creator's list | group, function     in a descriptor of its creator's pool
//   a coroutine                 header | group, handle                        in the coroutine's frame
//   an item of a reduction      header | creator's list | item                where queues hold pointers: a descriptor
//
// There is no virtual table: `run` is the one call that a scheduler's user makes.
//
//               constant while others can see the task    run, owner, priority
//               the queue that holds it                   next
//               see the kind of task                      state
// After run() the task may be gone, so whoever runs a task does not touch it any more.
#pragma once

#include <teff/base/atomic.hpp>

#include <cstdint>

namespace teff {

class descriptor_pool;

struct task_header {
    using function = void (*)(task_header&) noexcept;

    // Bits of `state`.
    static constexpr std::uint32_t unfinished = 1;  // a fork's: the thread that took it still uses it
    static constexpr std::uint32_t has_run = 2;     // a fork's: there is an outcome
    static constexpr std::uint32_t cancelled = 4;   // not to be begun any more
    static constexpr std::uint32_t begun = 8;       // a fork's: the thread that took it runs it
    static constexpr std::uint32_t returned = 16;   // a descriptor: its creator may use it again

    task_header() noexcept = default;
    explicit task_header(function what) noexcept : run(what) {}
    task_header(const task_header&) = delete;
    task_header& operator=(const task_header&) = delete;

    function run = nullptr;
    descriptor_pool* owner = nullptr;  // the pool that the memory goes back to; nullptr: it is no pool's
    atomic<task_header*> next{nullptr};
    atomic<std::uint32_t> state{0};
    std::uint32_t priority = 0;  // larger is more urgent; 0: no priority
};

}  // namespace teff
