// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of one thread, or of one team, in a static loop, in the form that Clang's code expects. That code does
//
//   chunked:      for (; ; first += stride, last += stride) { last' = min(last, end); if (first > last') break; run }
//   not chunked:  last' = min(last, end); run first to last'
//
// with the comparisons reversed for a negative step. So an empty part is one with first > last, and neither of them may
// wrap around at the ends of the type. A stride that leads past the end of the loop is shortened, so that the sum does
// not wrap around either.
#pragma once

#include <teff/frontends/openmp/core/iterations/iterations.hpp>

#include <limits>
#include <type_traits>

namespace teff::openmp {

struct part_of_team {
    unsigned number;
    unsigned size;
};

template <class Value>
struct static_bounds {
    Value first;
    Value last;
    std::make_signed_t<Value> stride;
    bool is_last;  // it has the loop's last iteration
};

// chunk: 0 for a contiguous part.
template <class Value>
constexpr static_bounds<Value> static_part(Value first, Value last, std::make_signed_t<Value> step,
                                           std::uint64_t chunk, part_of_team part) noexcept {
    using stride_type = std::make_signed_t<Value>;
    const iteration_space space = inclusive_space(first, last, step);
    const std::uint64_t count = space.count;
    if (count == 0)
        return {first, last, step, false};
    iteration_range mine = static_block(count, part.number, part.size);
    bool is_last = mine.end == count && !mine.is_empty();
    std::uint64_t stride = count;
    if (chunk != 0) {
        const std::uint64_t chunks = chunks_of(count, chunk);
        mine = part.number < chunks ? chunk_at(part.number, 1, chunk, count) : iteration_range{};
        is_last = !mine.is_empty() && (chunks - 1) % part.size == part.number;
        // To the next chunk of this part, or just past the end.
        stride = chunks - part.number > part.size ? chunk * part.size : count - mine.begin;
    }
    if (mine.is_empty()) {
        // Beside the loop's last value, where the type has room.
        constexpr Value highest = std::numeric_limits<Value>::max(), lowest = std::numeric_limits<Value>::min();
        if (step < 0)
            return last != lowest ? static_bounds<Value>{static_cast<Value>(last - 1), last, step, false}
                                  : static_bounds<Value>{last, static_cast<Value>(last + 1), step, false};
        return last != highest ? static_bounds<Value>{static_cast<Value>(last + 1), last, step, false}
                               : static_bounds<Value>{last, static_cast<Value>(last - 1), step, false};
    }
    // The last chunk may be cut short by the end; the one before it in the same part is whole, as are all others.
    return {static_cast<Value>(space.value(mine.begin)), static_cast<Value>(space.value(mine.end - 1)),
            static_cast<stride_type>(stride * space.step), is_last};
}

}  // namespace teff::openmp
