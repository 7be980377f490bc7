// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the garbage collector (gc.hpp) on which stack a thread runs. The collector looks for pointers from a thread's
// stack pointer to the end of the stack that the system has given the thread. So a thread must tell it before it runs
// on another stack; otherwise the collector would read all memory between the two stacks.
//
// The collector then searches that stack alone. That is enough: the thread's own stack holds only calls that have begun
// a task, and none of these is inside an operation of a queue.
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

// For a thread that switches to another stack: it calls begin() before, and end() on the other stack; end() without
// begin() does nothing. In between there is no collection, since the thread may not yet be on the stack that it has
// named. Has no effect unless the process uses the collector.
class change_of_stack {
public:
    void begin([[maybe_unused]] std::uintptr_t low, [[maybe_unused]] std::uintptr_t high) noexcept {
#if defined(TEFF_WITH_GC)
        // relaxed: a thread that has pointers to the collector's blocks has used the collector itself, and so sees
        // true.
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
