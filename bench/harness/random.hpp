// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generator of all generated inputs (splitmix64). The same seed gives the same input on every machine and
// compiler, which the standard library's distributions do not guarantee.
#pragma once

#include <cstdint>

namespace bench {

class seeded_random {
public:
    explicit seeded_random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t bits = state_;
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
        return bits ^ (bits >> 31);
    }

    // 0 <= result < bound. Callers use small bounds, so the bias of the remainder does not matter.
    std::uint64_t below(std::uint64_t bound) { return next() % bound; }

    // 0 <= result < 1, with 53 random bits.
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
    std::uint64_t state_;
};

}  // namespace bench
