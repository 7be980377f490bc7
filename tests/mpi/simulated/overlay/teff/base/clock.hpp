// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/base/clock.hpp in the simulated network: no time passes, so a pause is always a yield.
#pragma once

#include <cstdint>

namespace teff {

inline std::int64_t monotonic_ns() noexcept { return 1; }

}  // namespace teff
