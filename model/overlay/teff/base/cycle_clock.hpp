// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/base/cycle_clock.hpp in the model build: a cycle is a nanosecond of the model's clock.
#pragma once

#include <model/operations.hpp>

#include <cstdint>

namespace teff {
inline namespace model_checked {

inline std::int64_t cycle_count() noexcept { return model::clock_ns(); }
inline std::int64_t ns_of_cycles(std::int64_t cycles) noexcept { return cycles; }

}  // namespace model_checked
}  // namespace teff
