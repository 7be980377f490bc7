// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands in for teff/base/clock.hpp in the model build: each thread has a time of its own, which passes as it
// looks.
#pragma once

#include <model/operations.hpp>

#include <cstdint>

namespace teff {
inline namespace model_checked {

inline std::int64_t monotonic_ns() noexcept { return model::clock_ns(); }

}  // namespace model_checked
}  // namespace teff
