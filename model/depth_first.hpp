// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explores every interleaving with at most a given number of preemptions, and each class of equivalent interleavings
// about once.
//
// Each execution replays the decisions of the last one up to the deepest decision that has an option left, and takes
// the next option there. A preemption is a switch away from a thread that could have continued; a switch is free if
// the thread blocks or ends. When a thread yields, a switch to the next thread in round-robin order is free, and any
// other switch counts as a preemption. (Musuvathi and Qadeer, PLDI 2007.)
//
// The reduction: executions that differ only in the order of independent operations lead to equal states and have
// equal fingerprints (execution.hpp). If the same thread has reached a state before, with no more preemptions, then
// everything that follows has been explored or will be, and the execution is cut off there. Unlike sleep sets, this
// is sound in combination with a bound on preemptions, since the comparison covers everything that the bound depends
// on. Fingerprints have 64 bits: two different states with the same fingerprint would be taken for one.
#pragma once

#include <model/explorer.hpp>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace model {

struct depth_first_bounds {
    unsigned preemptions = 2;
    bool weak = false;   // explores old values, too, and then without reduction
    bool reduce = true;
    std::uint64_t executions = 1'000'000;  // the limit at which it gives up
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
        std::uint8_t options[max_threads + 1];  // threads, the free ones first; unused for values
        std::uint8_t count;
        std::uint8_t free;  // how many options are no preemption
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
    std::unordered_map<std::uint64_t, unsigned> explored_;  // from a state to its fewest preemptions so far
};

}  // namespace model
