// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses which sleeping worker of the pool is woken, and keeps it off the processor of the thread that wakes it.
//
// Linux may place a woken thread on the processor of the thread that wakes it, although another one is idle. (Measured
// in a virtual machine with two processors: the worker began 0.5 to 4 ms late, when the other thread's time slice was
// over.) After a worker has begun that late, threads take their own processor out of the mask of a worker before they
// wake it, and the worker puts it back. That costs about 20 us if the kernel's code is not in the caches, so it is done
// for a number of wake-ups only, until another one is late.
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

    // futex_wait() for worker `worker` (1, 2, ...).
    bool sleep(unsigned worker, const futex_word& word, std::uint32_t seen,
               std::int64_t timeout_ns = futex_no_timeout) noexcept;
    // Wakes one worker that sleeps on the word with this address. False: it has woken none, and the caller has to use
    // futex_wake(). The word may already be destroyed.
    bool wake_one(const void* address) noexcept;

    // For the only thread of the child of a fork().
    void reset_after_fork() noexcept { workers_.reset(); }

    // The next so many wake-ups keep the worker off the processor of the thread that wakes it.
    void keep_off(unsigned wake_ups) noexcept;

private:
    static constexpr int no_cpu = -1;
    struct call {
        std::int64_t at_ns = 0;
        int removed_cpu = no_cpu;  // what was taken out of the worker's mask
    };

    // thread: the number of the worker's thread (gettid).
    call make_call(int thread) noexcept;
    void answer(const call& by) noexcept;

    sleeping_workers<int, call, 4096> workers_;
    atomic<unsigned> keeps_off_{0};  // the number of wake-ups; threads may miss each other's changes
};

}  // namespace teff
