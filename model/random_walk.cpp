// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Priorities, their change points, and the random choices of weak memory.
#include <model/random_walk.hpp>

#include <algorithm>

namespace model {

// splitmix64, by Steele, Lea and Flood.
std::uint64_t random_walk::next() noexcept {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15U;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
    x = (x ^ x >> 27) * 0x94D049BB133111EBU;
    return x ^ x >> 31;
}

bool random_walk::begin() {
    if (left_ == 0)
        return false;
    --left_;
    lowest_ = 0;
    changes_ = below(max_depth);
    for (unsigned i = 0; i < changes_; ++i)
        change_at_[i] = below(expected_steps_) + 1;
    std::sort(change_at_.data(), change_at_.data() + changes_);
    next_change_ = 0;
    constexpr unsigned odds[] = {2, 4, 8, 16};
    old_value_odds_ = odds[below(4)];
    return true;
}

void random_walk::thread_created(unsigned thread) {
    constexpr unsigned range = 1U << 20;
    priorities_[thread] = below(range) + 1;
}

unsigned random_walk::choose_thread(const thread_choice& choice) {
    bool falls = choice.yields;
    // A change point at which only one thread was ready takes effect at the next choice.
    for (; next_change_ < changes_ && change_at_[next_change_] <= choice.step; ++next_change_)
        falls = true;
    if (falls)
        priorities_[choice.current] = --lowest_;
    unsigned best = max_threads;
    for (unsigned thread = 0; thread < max_threads; ++thread) {
        if ((choice.ready >> thread & 1U) != 0 && (best == max_threads || priorities_[thread] > priorities_[best]))
            best = thread;
    }
    return best;
}

unsigned random_walk::choose_store_to_read(unsigned options) {
    return below(old_value_odds_) == 0 ? 1 + below(options - 1) : 0;
}

unsigned random_walk::choose_place_of_store(unsigned options) { return below(8) == 0 ? 1 + below(options - 1) : 0; }

}  // namespace model
