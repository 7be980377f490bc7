// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small pseudo-random generator (xorshift64*, Vigna 2014) for choosing victims; one per worker, not shared.
#pragma once

#include <cstdint>

namespace teff {

class random_generator {
public:
    // Accepts any seed. The state is made nonzero, since the generator would never leave a state of zero.
    explicit constexpr random_generator(std::uint64_t seed) noexcept : state_(seed * 0x9E3779B97F4A7C15U | 1U) {}

    constexpr std::uint64_t next() noexcept {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545F4914F6CDD1DU;
    }

    // A number in [0, bound); bound > 0. The bias is below bound / 2^32.
    constexpr std::uint32_t below(std::uint32_t bound) noexcept {
        return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
    }

private:
    std::uint64_t state_;
};

}  // namespace teff
