// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector clock: for each thread, the last of its steps that is known to have happened before.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace model {

inline constexpr unsigned max_threads = 8;

struct vector_clock {
    std::array<std::uint32_t, max_threads> steps{};

    void join(const vector_clock& other) noexcept {
        for (unsigned i = 0; i < max_threads; ++i)
            steps[i] = std::max(steps[i], other.steps[i]);
    }
};

}  // namespace model
