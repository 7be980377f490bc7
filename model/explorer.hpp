// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of the explorers. An explorer makes the decisions that an execution leaves open: which thread runs
// next, and which value a load returns.
#pragma once

#include <model/memory.hpp>

#include <cstdint>
#include <vector>

namespace model {

// A point at which more than one thread can run, or at which the current thread cannot.
struct thread_choice {
    unsigned current;
    std::uint32_t ready;        // a bit for each thread that can run
    bool current_ready;
    bool yields;                // the current thread has yielded: others should run first
    unsigned step;              // number of operations of the execution so far
    std::uint64_t fingerprint;  // of the state; the order of independent operations does not matter
};

class explorer : public value_chooser {
public:
    static constexpr unsigned prune = ~0U;

    // Whether loads may return values that are not the newest.
    virtual bool weak() const noexcept = 0;
    // Called before each execution. Returns false if there is nothing left to explore.
    virtual bool begin() = 0;
    virtual void thread_created(unsigned) {}
    // Returns a ready thread, or `prune` if everything that follows has been explored before.
    virtual unsigned choose_thread(const thread_choice& choice) = 0;
    virtual void end(unsigned steps) = 0;
    // Whether everything within the explorer's bounds was explored.
    virtual bool is_complete() const noexcept { return false; }

protected:
    ~explorer() = default;
};

// The next ready thread after `current` in round-robin order.
inline unsigned next_in_round(unsigned current, std::uint32_t ready) noexcept {
    for (unsigned i = 1; i <= max_threads; ++i) {
        const unsigned candidate = (current + i) % max_threads;
        if ((ready >> candidate & 1U) != 0)
            return candidate;
    }
    return current;
}

}  // namespace model
