// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every interleaving with at most so many preemptions, each class of equivalent ones about once.
//
// Each execution replays the decisions of the last one but for the deepest that has an option left. A preemption is a
// switch away from a thread that could have gone on; switches at blocking and ending are free. A thread that yields is
// followed by the next in a round; any other successor counts as a preemption. (Musuvathi and Qadeer, PLDI 2007.)
//
// The reduction: executions that differ in the order of independent operations only lead to equal states, and have
// equal fingerprints (execution.hpp). A state that was reached before by the same thread with no more preemptions has
// been explored, or will be, with all that follows: the execution is cut off there. Unlike sleep sets this is sound
// together with a bound on preemptions, since the key holds all that the bound looks at. Fingerprints have 64 bits: two
// different states with one fingerprint would be taken for one.
#pragma once

#include <model/explorer.hpp>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace model {

struct depth_first_bounds {
    unsigned preemptions = 2;
    bool weak = false;   // explores old values, too; then without reduction
    bool reduce = true;
    std::uint64_t executions = 1'000'000;  // then it gives up
};

class depth_first final : public explorer {
public:
    explicit depth_first(const depth_first_bounds& bounds) : bounds_(bounds) {}

    bool weak() const noexcept override { return bounds_.weak; }
    bool begin() override;
    unsigned choose_thread(const thread_choice& choice) override;
    unsigned choose_store_to_read(unsigned options) override { return choose_value(options); }
    unsigned choose_place_of_store(unsigned options) override { return choose_value(options); }
    bool choose_spurious_failure() override { return false; }
    void end(unsigned) override { ++executions_; }
    bool is_complete() const noexcept override { return complete_; }

private:
    struct node {
        std::uint8_t options[max_threads + 1];  // threads, the free ones first; or numbers of stores
        std::uint8_t count;
        std::uint8_t free;  // options that are no preemption
        std::uint8_t chosen;
    };

    unsigned choose_value(unsigned options);
    bool was_explored(const thread_choice& choice);
    node options_of(const thread_choice& choice) const noexcept;

    const depth_first_bounds bounds_;
    std::vector<node> path_;
    std::size_t depth_ = 0;
    unsigned preemptions_ = 0;
    std::uint64_t executions_ = 0;
    bool complete_ = false;
    std::unordered_map<std::uint64_t, unsigned> explored_;  // state to the fewest preemptions it was reached with
};

}  // namespace model
