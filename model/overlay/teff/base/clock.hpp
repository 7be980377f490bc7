// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/base/clock.hpp in the model build: each thread has its own clock, which advances each time the thread
// reads it, and a cycle is a nanosecond.
#pragma once

#include <model/operations.hpp>

#include <cstdint>

namespace teff {

inline namespace model_checked {

inline std::int64_t monotonic_ns() noexcept { return model::clock_ns(); }

}  // namespace model_checked

inline namespace model_checked {

inline std::int64_t cycle_count() noexcept { return model::cycle_count(); }
inline std::int64_t ns_of_cycles(std::int64_t cycles) noexcept { return model::ns_of_cycles(cycles); }

}  // namespace model_checked

}  // namespace teff
