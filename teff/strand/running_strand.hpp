// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The strand that the calling thread runs, and how the thread switches to another one.
//
// running_strand() is inlined into users' functions, perhaps twice, with a wait in between, after which a fiber may be
// on another thread. A compiler may keep the address of a thread-local variable from the first use for the second one.
// On x86-64 no address is needed: each use is an access relative to the thread's register. (A thread's first use needs
// an address, but it is never on a fiber.) On other machines, and under ThreadSanitizer, which is told the address of
// each access, running_strand() is a call.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/strand/running_thread.hpp>

namespace teff {

inline strand& strand_of_thread() noexcept {
    if (running_thread.running == nullptr) [[unlikely]] {
        running_thread.own.home = &running_thread.own;
        running_thread.running = &running_thread.own;
    }
    return *running_thread.running;
}
// The same by a call.
strand& find_strand_of_thread() noexcept;

// The address is valid until the strand ends, even after the strand was resumed on another thread.
inline strand& running_strand() noexcept {
#if defined(__x86_64__) && !defined(TEFF_THREAD_SANITIZER)
    return strand_of_thread();
#else
    return find_strand_of_thread();
#endif
}

// Makes the calling thread run `next` from here on, and returns the strand that it ran until now. The caller switches
// to the stack of `next` before it calls anything that forks, waits, or uses ordered reducers.
strand& switch_to(strand& next) noexcept;
// The same for a caller that has the address of the thread's context.
inline void switch_to(thread_context& context, strand& next) noexcept {
    context.running = &next;
    // The present limit may belong to another stack. The next fork takes the slow path, which sets the right one.
    // relaxed: a request of the thread to itself; it publishes no data.
    context.limit.store(thread_context::requested, std::memory_order_relaxed);
}

}  // namespace teff
