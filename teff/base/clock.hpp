// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clock by which waits are measured: monotonic, in nanoseconds since an arbitrary fixed moment.
#pragma once

#include <cstdint>
#include <ctime>

namespace teff {

inline std::int64_t monotonic_ns() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace teff
