// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops as GCC's code passes them: half-open bounds of type `long` or `unsigned long long`. A start or
// `next` function stores the bounds of the thread's next chunk and returns true, or returns false.
#pragma once

#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/worksharing/loop.hpp>
#include <teff/frontends/openmp/gomp/reductions.hpp>

#include <cstdint>

namespace teff::openmp::gomp {

using ull = unsigned long long;

constexpr std::uint64_t chunk_size(long chunk) noexcept { return chunk < 1 ? 0 : static_cast<std::uint64_t>(chunk); }
constexpr std::uint64_t chunk_size(ull chunk) noexcept { return chunk; }

// The generated code compares with the end of the loop, so the last chunk ends there and not one step after its last
// value, which might not exist in the type.
inline std::uint64_t end_of_chunk(const loop_position& loop, std::uint64_t iteration) noexcept {
    return iteration == loop.space.count ? loop.end_value : loop.space.value(iteration);
}

template <class Value>
[[gnu::always_inline]] inline bool next(place& caller, Value* first, Value* end) noexcept {
    const iteration_range found = next_chunk(caller);
    if (found.is_empty()) [[unlikely]]
        return false;
    *first = static_cast<Value>(caller.work.space.value(found.begin));
    events::chunk_begins(static_cast<std::uint64_t>(*first), found.end - found.begin);
    *end = static_cast<Value>(end_of_chunk(caller.work, found.end));
    return true;
}
template <class Value>
bool next(Value* first, Value* end) noexcept {
    return next(this_place(), first, end);
}

// Code that computes its static part itself passes no address for a chunk.
template <class Value>
bool next_if_any(place& caller, Value* chunk_first, Value* chunk_end) noexcept {
    return chunk_first == nullptr || next(caller, chunk_first, chunk_end);
}

inline void begin(place& caller, long first, long end, long step, const loop_schedule& schedule,
                  bool is_ordered) noexcept {
    begin_loop(caller, half_open_space(first, end, step), schedule, is_ordered);
    caller.work.end_value = static_cast<std::uint64_t>(end);
}
inline void begin(place& caller, bool is_up, ull first, ull end, ull step, const loop_schedule& schedule,
                  bool is_ordered) noexcept {
    begin_loop(caller, half_open_space(is_up, first, end, step), schedule, is_ordered);
    caller.work.end_value = end;
}

// Ends a loop, or sections, with a barrier. True: the region is cancelled.
inline bool end_with_barrier(place& caller) noexcept {
    leave_loop_for_barrier(caller);
    const events::sync_region waits(events::sync_kind::barrier_workshare);
    const bool is_cancelled = wait_at_barrier(caller);
    if (!is_cancelled)
        pass_loops(caller);
    return is_cancelled;
}

// Sets up the other shared parts of a loop or of sections: task reductions (nullptr: none), and shared memory (nullptr:
// none). *memory is first the number of bytes, and afterwards the address.
inline void share(place& caller, std::uintptr_t* reductions, void** memory) noexcept {
    if (reductions != nullptr)
        begin_shared_reductions(caller, reductions);
    if (memory != nullptr)
        *memory = share_memory(caller, reinterpret_cast<std::uintptr_t>(*memory));
}

inline constexpr loop_schedule static_loop{schedule_kind::static_}, dynamic_loop{schedule_kind::dynamic},
    guided_loop{schedule_kind::guided}, nonmonotonic_dynamic_loop{schedule_kind::dynamic, 0, false},
    nonmonotonic_guided_loop{schedule_kind::guided, 0, false};

// A schedule as a number: the kind, and a bit that asks for a monotonic one.
inline loop_schedule schedule_of(const place& caller, long number, std::uint64_t chunk) noexcept {
    constexpr long monotonic = 1L << 31;
    const bool is_monotonic = (number & monotonic) != 0;
    switch (number & ~monotonic) {
    case 0:
        return schedule_at_run_time(caller, is_monotonic);
    case 2:
        return {schedule_kind::dynamic, chunk, is_monotonic};
    case 3:
        return {schedule_kind::guided, chunk, is_monotonic};
    default:  // 1: static, 4: auto
        return {schedule_kind::static_, (number & ~monotonic) == 1 ? chunk : 0};
    }
}

}  // namespace teff::openmp::gomp
