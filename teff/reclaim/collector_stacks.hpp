// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The garbage collector (gc.hpp) looks for pointers on the stack of each thread, from the stack pointer to the end of
// the stack that the system has given the thread. A thread that runs on another stack must say so before, or the
// collector reads all that lies between the two.
//
// It then looks on that stack alone. That is enough: what the thread has on its own stack belongs to calls that have
// begun a task, and none of these is inside an operation of a queue.
#pragma once

#include <teff/base/atomic.hpp>

#include <cstdint>

namespace teff {

// Set when the collector starts.
inline constinit atomic<bool> collector_runs{false};

// For the calling thread.
void tell_collector_of_stack(std::uintptr_t low, std::uintptr_t high) noexcept;
void stop_collector() noexcept;
void continue_collector() noexcept;

// For a thread that goes to another stack: begin() before that, and end() on the other stack; without begin() it does
// nothing. In between there is no collection, since the thread may be on a stack that is not the one that it has named.
// Has an effect if the process uses the collector.
class change_of_stack {
public:
    void begin([[maybe_unused]] std::uintptr_t low, [[maybe_unused]] std::uintptr_t high) noexcept {
#if defined(TEFF_WITH_GC)
        // relaxed: the thread itself has used the collector before, if it has pointers to its blocks.
        if (collector_runs.load(std::memory_order_relaxed)) [[unlikely]] {
            has_stopped_ = true;
            stop_collector();
            tell_collector_of_stack(low, high);
        }
#endif
    }
    void end() noexcept {
#if defined(TEFF_WITH_GC)
        if (has_stopped_) [[unlikely]] {
            has_stopped_ = false;
            continue_collector();
        }
#endif
    }

private:
    [[maybe_unused]] bool has_stopped_ = false;
};

}  // namespace teff
