// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How Clang's calls name a schedule: a number, and two bits for the modifiers.
#pragma once

#include <teff/frontends/openmp/core/worksharing/loop.hpp>

#include <cstdint>

namespace teff::openmp::kmpc {

inline constexpr std::int32_t sched_static_chunked = 33, sched_static = 34, sched_dynamic = 35, sched_guided = 36,
                              sched_runtime = 37, sched_auto = 38, sched_trapezoidal = 39, sched_greedy = 40,
                              sched_balanced = 41, sched_guided_iterative = 42, sched_guided_analytical = 43,
                              sched_static_steal = 44, sched_static_balanced_chunked = 45, sched_guided_simd = 46,
                              sched_runtime_simd = 47;
// The same schedules for loops with an `ordered` clause, and for parts that are not merged, lie above these bounds.
inline constexpr std::int32_t sched_ordered = 64, sched_distribute_chunked = 91, sched_distribute = 92,
                              sched_no_merge = 160, sched_no_merge_ordered = 192;
inline constexpr std::int32_t sched_monotonic = 1 << 29, sched_nonmonotonic = 1 << 30;

struct schedule_number {
    std::int32_t kind;  // one of the unordered ones, or of those for `distribute`
    bool is_ordered = false;
    bool is_monotonic = true;
};

constexpr schedule_number plain_schedule(std::int32_t number) noexcept {
    const bool is_monotonic = (number & sched_nonmonotonic) == 0;
    number &= ~(sched_monotonic | sched_nonmonotonic);
    const std::int32_t first = sched_static_chunked - 1;
    if (number >= sched_no_merge_ordered)
        return {number - sched_no_merge_ordered + first, true, is_monotonic};
    if (number >= sched_no_merge)
        return {number - sched_no_merge + first, false, is_monotonic};
    if (number >= sched_distribute_chunked)
        return {number, false, is_monotonic};
    if (number >= sched_ordered)
        return {number - sched_ordered + first, true, is_monotonic};
    return {number, false, is_monotonic};
}

// For the calls that compute bounds: 0 if the schedule has no chunks.
constexpr std::uint64_t static_chunk(std::int32_t number, std::int64_t chunk) noexcept {
    const std::int32_t kind = plain_schedule(number).kind;
    if (kind != sched_static_chunked && kind != sched_distribute_chunked && kind != sched_static_balanced_chunked)
        return 0;
    return chunk < 1 ? 1 : static_cast<std::uint64_t>(chunk);
}

// For the calls that hand out chunks of `count` iterations. chunk < 1: none.
inline loop_schedule schedule_of(const place& caller, const schedule_number& number, std::int64_t chunk,
                                 std::uint64_t count) noexcept {
    const std::uint64_t size = chunk < 1 ? 0 : static_cast<std::uint64_t>(chunk);
    switch (number.kind) {
    case sched_dynamic:
    case sched_static_steal:
        return {schedule_kind::dynamic, size, number.is_monotonic};
    case sched_guided:
    case sched_guided_iterative:
    case sched_guided_analytical:
    case sched_guided_simd:
    case sched_trapezoidal:
        return {schedule_kind::guided, size};
    case sched_runtime:
        return schedule_at_run_time(caller, number.is_monotonic);
    case sched_runtime_simd: {
        // The call gives the vector length as the chunk. All chunks but the last have to be multiples of it.
        loop_schedule chosen = schedule_at_run_time(caller, number.is_monotonic);
        const std::uint64_t length = size == 0 ? 1 : size;
        if (chosen.kind == schedule_kind::automatic)
            chosen = {schedule_kind::static_, 0};
        chosen.chunk = chosen.chunk == 0 ? even_chunk(count, caller.size, length) : chosen.chunk * length;
        return chosen;
    }
    case sched_static_chunked:
        return {schedule_kind::static_, size == 0 ? 1 : size};
    default:
        return {schedule_kind::static_, 0};
    }
}

}  // namespace teff::openmp::kmpc
