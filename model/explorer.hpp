// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who decides what an execution leaves open: which thread goes on, and what a load returns.
#pragma once

#include <model/memory.hpp>

#include <cstdint>
#include <vector>

namespace model {

// A point at which more than one thread could go on, or the current one cannot.
struct thread_choice {
    unsigned current;
    std::uint32_t ready;        // a bit per thread that can go on
    bool current_ready;
    bool yields;                // the current thread asks to let others go first
    unsigned step;              // operations of the execution so far
    std::uint64_t fingerprint;  // of what has happened, up to the order of independent operations
};

class explorer : public value_chooser {
public:
    static constexpr unsigned prune = ~0U;

    // Whether loads may return old values.
    virtual bool weak() const noexcept = 0;
    // Before each execution; false when there is nothing left to explore.
    virtual bool begin() = 0;
    virtual void thread_created(unsigned) {}
    // A ready thread, or prune: what follows was explored before.
    virtual unsigned choose_thread(const thread_choice& choice) = 0;
    virtual void end(unsigned steps) = 0;
    // Whether everything within its bounds was explored.
    virtual bool is_complete() const noexcept { return false; }

protected:
    ~explorer() = default;
};

// The ready thread after `current` in a round.
inline unsigned next_in_round(unsigned current, std::uint32_t ready) noexcept {
    for (unsigned i = 1; i <= max_threads; ++i) {
        const unsigned candidate = (current + i) % max_threads;
        if ((ready >> candidate & 1U) != 0)
            return candidate;
    }
    return current;
}

}  // namespace model
