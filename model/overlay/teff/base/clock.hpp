// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/base/clock.hpp in the model build: each thread has its own clock, which advances each time the thread
// reads it.
#pragma once

#include <model/operations.hpp>

#include <cstdint>

namespace teff {
inline namespace model_checked {

inline std::int64_t monotonic_ns() noexcept { return model::clock_ns(); }

}  // namespace model_checked
}  // namespace teff
