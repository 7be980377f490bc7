// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of the type omp_sched_t: 1 to 4 for OpenMP's kinds in their order, 101 for LLVM's `trapezoidal`, and a bit
// for the monotonic modifier.
#pragma once

#include <teff/frontends/openmp/core/environment/icvs.hpp>

#include <cstdint>
#include <optional>

namespace teff::openmp {

inline constexpr std::uint32_t monotonic_bit = 0x8000'0000, trapezoidal_value = 101;

inline std::uint32_t value_of(const run_schedule& schedule) noexcept {
    const std::uint32_t kind =
        schedule.kind == schedule_kind::trapezoidal ? trapezoidal_value : static_cast<std::uint32_t>(schedule.kind) + 1;
    return kind | (schedule.is_monotonic ? monotonic_bit : 0);
}

// Without the modifier; nothing if there is no such kind.
inline std::optional<schedule_kind> kind_of(std::uint32_t value) noexcept {
    const std::uint32_t kind = value & ~monotonic_bit;
    if (kind == trapezoidal_value)
        return schedule_kind::trapezoidal;
    if (kind < 1 || kind > static_cast<std::uint32_t>(schedule_kind::automatic) + 1)
        return std::nullopt;
    return static_cast<schedule_kind>(kind - 1);
}

}  // namespace teff::openmp
