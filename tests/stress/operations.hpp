// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of operations that a stress test performs on its structure: the variable STRESS_OPERATIONS, or a
// default that depends on the build: 10^8 in an optimised build, 10^7 otherwise, sanitizers included.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace stress {

inline std::uint64_t operations() {
#if defined(NDEBUG)
    constexpr std::uint64_t by_build = 100'000'000;
#else
    constexpr std::uint64_t by_build = 10'000'000;
#endif
    const char* const wanted = std::getenv("STRESS_OPERATIONS");
    const std::uint64_t parsed = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 0;
    return parsed != 0 ? parsed : by_build;
}

}  // namespace stress
