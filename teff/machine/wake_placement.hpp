// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses which sleeping worker of the pool is woken, and keeps it off the processor of the thread that wakes it.
//
// Linux may place a woken thread on the processor of the thread that wakes it, although another one is idle. (Measured
// in a virtual machine with two processors: the worker began 0.5 to 4 ms late, when the other thread's time slice was
// over.) A worker that has seen this happen says so, and from then on a thread takes its own processor out of the mask
// of a worker before it wakes it; the worker puts the processor back. That costs each of the two about a microsecond.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/futex.hpp>
#include <teff/machine/sleeping_workers.hpp>

#include <cstdint>

namespace teff {

// One for the pool. The functions are safe from any thread; sleep() is for workers, since the mask of an application's
// thread is the application's.
class wake_placement {
public:
    constexpr wake_placement() noexcept = default;

    // futex_wait() for worker `worker` (1, 2, ...), without a time limit.
    void sleep(unsigned worker, const futex_word& word, std::uint32_t seen) noexcept;
    // Wakes one worker that sleeps on the word with this address. False: it has woken none, and the caller has to use
    // futex_wake(). The word may already be destroyed.
    bool wake_one(const void* address) noexcept;

    // For the only thread of the child of a fork().
    void reset_after_fork() noexcept { workers_.reset(); }

    // Whether threads keep workers off their processor by now. For tests.
    bool keeps_off() const noexcept;
    void keep_off() noexcept;

private:
    struct call {
        std::int64_t at_ns = 0;
        int cpu = 0;            // of the thread that calls
        bool is_kept_off = false;  // whether that processor was taken out of the worker's mask
    };

    call make_call(int thread) noexcept;
    void answer(const call& by) noexcept;

    sleeping_workers<call, 4096> workers_;
    atomic<bool> keeps_off_{false};
};

}  // namespace teff
