// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The strand that the calling thread runs: how the thread switches to another one, what a task inherits from the strand
// that makes it, and whether its next task or fork may be a plain call.
//
// running_strand() is inlined into users' functions, perhaps twice, with a wait in between, after which a fiber may be
// on another thread. A compiler may keep the address of a thread-local variable from the first use for the second one.
// On x86-64 no address is needed: each use is an access relative to the thread's register. (A thread's first use needs
// an address, but it is never on a fiber.) On other machines, and under ThreadSanitizer, which is told the address of
// each access, running_strand() is a call.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/request_mark.hpp>
#include <teff/strand/running_thread.hpp>

#include <utility>

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

// A data member of a task that may outlive the code that creates it. It copies the constructs around that code
// (`enclosing`). If a sync_block is among them, the task counts as a part of the block, and the block waits for it,
// until this object is destroyed. Any thread may destroy it.
class inherited_enclosing {
public:
    inherited_enclosing() noexcept : of_(running_strand().around) {
        // The task that creates this one may end before it.
        of_.task = nullptr;
        if (of_.block != nullptr) [[unlikely]]
            of_.block->begin_part(*of_.block);
    }
    inherited_enclosing(inherited_enclosing&& other) noexcept : of_(std::exchange(other.of_, {})) {}
    inherited_enclosing& operator=(inherited_enclosing&&) = delete;
    ~inherited_enclosing() {
        if (of_.block != nullptr) [[unlikely]]
            of_.block->end_part(*of_.block);
    }

    const enclosing& operator*() const noexcept { return of_; }

private:
    enclosing of_;
};

// Whether the calling thread's next task or fork may be a plain call (deferral.hpp). Compares the stack pointer with
// the thread's limit, which detects a stack that is used up, a request, and a thread with too few tasks queued
// (thread_context.hpp).
[[gnu::always_inline]] inline bool is_plain() noexcept {
    return !is_below(stack_pointer(), running_thread.limit);
}

}  // namespace teff
