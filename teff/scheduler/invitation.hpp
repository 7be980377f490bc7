// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a member of a team that deals work out lets idle workers in, when there is nothing yet that they could take.
//
//   extend      a member that pushes, or has more than it can run: if somebody is hungry, invites, and calls a sleeper
//   accept      a member that runs dry: whoever comes now is enough
//   is_open     any thread: whether a worker that comes would be welcome
// An invitation is a hint: one more or one less costs a needless visit, or waits for the next push.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/scheduler/hunger.hpp>

namespace teff {

class invitation {
public:
    void extend(hunger& idle) noexcept {
        if (!is_open())
            // relaxed: a hint; who is called sees it through the call's fence.
            open_.store(1, std::memory_order_relaxed);
        if (idle.would_call())
            call(idle);
    }
    void accept() noexcept {
        if (is_open())
            // relaxed: a hint.
            open_.store(0, std::memory_order_relaxed);
    }
    // relaxed: a hint.
    bool is_open() const noexcept { return open_.load(std::memory_order_relaxed) != 0; }

private:
    // Out of line: here is the fence that the path of a task does without.
    [[gnu::noinline, gnu::cold]] static void call(hunger& idle) noexcept { idle.work_visible(); }

    alignas(false_sharing_range) atomic<unsigned> open_{0};
};

}  // namespace teff
