// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spin waiting with few memory accesses: a pause instruction, and a backoff whose pauses double up to a bound.
//
// A backoff belongs to one thread. It never sleeps: a thread that must sleep uses a futex, through which another thread
// wakes it.
#pragma once

#include <sched.h>

namespace teff {

// Tells the processor that this is a spin loop.
inline void cpu_relax() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield" ::: "memory");
#endif
}

// Gives the processor to another runnable thread, if there is one.
inline void yield_thread() noexcept { ::sched_yield(); }

class backoff {
public:
    // The first `yield_from` calls execute 1, 2, 4, ... pause instructions. Later calls yield: with more threads than
    // processors, the thread that the caller waits for may not be running.
    void pause() noexcept {
        if (round_ >= yield_from) {
            yield_thread();
            return;
        }
        for (unsigned i = 0; i < (1U << round_); ++i)
            cpu_relax();
        ++round_;
    }
    void reset() noexcept { round_ = 0; }

private:
    static constexpr unsigned yield_from = 10;
    unsigned round_ = 0;
};

}  // namespace teff
