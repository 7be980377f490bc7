// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common parts of the programs with OpenMP's directives.
#pragma once

#include <simulator/workload.hpp>

#include <cstdint>

namespace simulator {

inline int threads_of(const request& wanted) noexcept { return static_cast<int>(wanted.threads); }

// The count of one thread of a region, on lines of its own.
struct alignas(128) own_count {
    std::uint64_t value = 0;
};

}  // namespace simulator
