// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random schedules that find a bug of depth d with a known probability (PCT: Burckhardt et al., ASPLOS 2010).
//
// Each thread has a random priority, and the ready thread of the highest priority runs. At d - 1 operations, chosen
// at random within the expected length, the priority of the running thread falls below all others. d is drawn per
// execution, from 1 to max_depth. A thread that yields falls below all others, too, so that a thread that waits by
// yielding does not starve the threads that it waits for. With n threads and k operations, an execution that has
// drawn d meets a bug of depth d with a probability of at least 1 / (n k^(d-1)).
//
// With weak memory, a load that may return an old value does so in one of 2, 4, 8 or 16 cases. The odds are drawn per
// execution, because many bugs show only if one load returns an old value while all other loads are up to date. A
// store that may take an earlier place in the location's modification order does so in one of eight cases.
#pragma once

#include <model/explorer.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace model {

class random_walk final : public explorer {
public:
    static constexpr unsigned max_depth = 5;

    random_walk(std::uint64_t seed, std::uint64_t executions, bool weak) noexcept
        : state_(seed * 0xD1B54A32D192ED03U + 1), left_(executions), weak_(weak) {}

    bool weak() const noexcept override { return weak_; }
    bool begin() override;
    void thread_created(unsigned thread) override;
    unsigned choose_thread(const thread_choice& choice) override;
    unsigned choose_store_to_read(unsigned options) override;
    unsigned choose_place_of_store(unsigned options) override;
    bool choose_spurious_failure() override { return below(16) == 0; }
    void end(unsigned steps) override { expected_steps_ = (7 * expected_steps_ + steps) / 8 + 1; }

private:
    std::uint64_t next() noexcept;
    unsigned below(unsigned bound) noexcept { return static_cast<unsigned>((next() >> 32) * bound >> 32); }

    std::uint64_t state_;
    std::uint64_t left_;
    const bool weak_;
    unsigned expected_steps_ = 32;  // a moving average
    std::array<std::int64_t, max_threads> priorities_{};
    std::int64_t lowest_ = 0;
    std::array<unsigned, max_depth> change_at_{};
    unsigned changes_ = 0;
    unsigned next_change_ = 0;
    unsigned old_value_odds_ = 2;
};

}  // namespace model
