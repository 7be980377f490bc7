// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waiting without hammering memory: a pause instruction, and pauses that double up to a bound.
//
// A backoff belongs to one thread. It never sleeps: whoever needs to sleep uses a futex, with a reason to be woken.
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
    // Pauses 1, 2, 4, ... times; from the tenth call on it also yields, since with more threads than processors the
    // one that is waited for may not be running.
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
