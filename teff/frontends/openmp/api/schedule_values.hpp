// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of the type omp_sched_t: 1 to 4 for the kinds in their order, and a bit for the monotonic modifier.
#pragma once

#include <teff/frontends/openmp/core/icvs.hpp>

#include <cstdint>

namespace teff::openmp {

inline constexpr std::uint32_t monotonic_bit = 0x8000'0000;

inline std::uint32_t value_of(const run_schedule& of) noexcept {
    return (static_cast<std::uint32_t>(of.kind) + 1) | (of.is_monotonic ? monotonic_bit : 0);
}

}  // namespace teff::openmp
