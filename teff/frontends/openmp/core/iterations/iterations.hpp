// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The iterations of a loop as numbers from 0 to count - 1, and how schedules divide them.
//
// All schedules work with these numbers. Only the entry points translate them from and to values of the loop variable,
// with arithmetic modulo 2^64, which is exact for every type, sign and direction: no value between two chunks is ever
// computed, so nothing overflows near the ends of a type.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace teff::openmp {

// Iterations from begin to end - 1; none if both are equal.
struct iteration_range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    bool is_empty() const noexcept { return begin == end; }
};

// The values of a loop variable: first, first + step, ...
struct iteration_space {
    std::uint64_t first = 0;
    std::uint64_t step = 1;
    std::uint64_t count = 0;

    std::uint64_t value(std::uint64_t iteration) const noexcept { return first + iteration * step; }
    // The inverse of value(). Returns at least `count` for a value outside the loop. The value must lie on a step.
    std::uint64_t iteration_of(std::uint64_t value) const noexcept {
        const std::uint64_t distance = value - first;
        if (step == 1)
            return distance;
        return static_cast<std::int64_t>(step) < 0 ? -distance / -step : distance / step;
    }
};

namespace iterations {

// The number of steps of `size` in `distance`, plus one. 2^64 iterations are counted as 2^64 - 1; no program runs that
// many.
constexpr std::uint64_t count(std::uint64_t distance, std::uint64_t size) noexcept {
    // Dividing costs more than the rest of a loop's start, and nearly all loops have steps of one.
    const std::uint64_t steps = size == 1 ? distance : distance / size;
    return steps == std::numeric_limits<std::uint64_t>::max() ? steps : steps + 1;
}

// A value as 64 bits, extended by its sign.
template <class Value>
constexpr std::uint64_t widen(Value value) noexcept {
    using wide = std::conditional_t<std::is_signed_v<Value>, std::int64_t, std::uint64_t>;
    return static_cast<std::uint64_t>(static_cast<wide>(value));
}

}  // namespace iterations

// A loop from `first` to `last`, inclusive, as Clang passes it. A step of 0 counts as 1.
template <class Value>
constexpr iteration_space inclusive_space(Value first, Value last, std::make_signed_t<Value> step) noexcept {
    const std::uint64_t from = iterations::widen(first), to = iterations::widen(last), by = iterations::widen(step);
    if (step < 0)
        return {from, by, first < last ? 0 : iterations::count(from - to, -by)};
    return {from, step == 0 ? 1 : by, first > last ? 0 : iterations::count(to - from, step == 0 ? 1 : by)};
}

// A loop from `first` to `end`, exclusive, as GCC passes it.
constexpr iteration_space half_open_space(long first, long end, long step) noexcept {
    const std::uint64_t from = iterations::widen(first), to = iterations::widen(end), by = iterations::widen(step);
    if (step < 0)
        return {from, by, first > end ? iterations::count(from - to - 1, -by) : 0};
    return {from, step == 0 ? 1 : by, first < end ? iterations::count(to - from - 1, step == 0 ? 1 : by) : 0};
}
// The same for unsigned values; the step of a loop that counts down is negative, as a value modulo 2^64.
constexpr iteration_space half_open_space(bool is_up, std::uint64_t first, std::uint64_t end,
                                          std::uint64_t step) noexcept {
    if (!is_up)
        return {first, step, first > end ? iterations::count(first - end - 1, -step) : 0};
    return {first, step, first < end ? iterations::count(end - first - 1, step) : 0};
}

// A static schedule without a chunk: the thread's part is contiguous, and no two parts differ by more than 1. (Code
// that GCC generates in place of a call divides in the same way, so that loops of the same length agree.)
constexpr iteration_range static_block(std::uint64_t count, unsigned number, unsigned size) noexcept {
    const std::uint64_t each = count / size, rest = count % size;
    const std::uint64_t begin = each * number + std::min<std::uint64_t>(number, rest);
    return {begin, begin + each + (number < rest ? 1 : 0)};
}

// The number of chunks.
constexpr std::uint64_t chunks_of(std::uint64_t count, std::uint64_t chunk) noexcept {
    return chunk == 1 ? count : count == 0 ? 0 : (count - 1) / chunk + 1;
}
// The chunk with which a static schedule gives each thread at most one chunk, of a multiple of `unit` iterations.
constexpr std::uint64_t even_chunk(std::uint64_t count, unsigned size, std::uint64_t unit) noexcept {
    return chunks_of(chunks_of(count, size), unit) * unit;
}
// The chunk with this index.
constexpr iteration_range chunk_at(std::uint64_t index, std::uint64_t chunk, std::uint64_t count) noexcept {
    const std::uint64_t begin = index * chunk;
    return {begin, chunk > count - begin ? count : begin + chunk};
}
// The chunk with this index and those after it, `many` in all.
constexpr iteration_range chunk_at(std::uint64_t index, std::uint64_t many, std::uint64_t chunk,
                                   std::uint64_t count) noexcept {
    const std::uint64_t begin = index * chunk;
    return {begin, many > (count - begin) / chunk ? count : begin + many * chunk};
}

// A guided schedule whose pieces may be taken in any order: rounds of one piece for each thread, all pieces of a round
// alike. A round has half of the chunks that are left, so the pieces shrink in the order of the iterations, as the
// specification asks, and yet each thread can compute its own without the others (factoring: S. F. Hummel,
// E. Schonberg, L. E. Flynn, 1992).
//
// The last round has one chunk for each thread, or none. The piece with the loop's last chunk is `last_thread`'s there.
class guided_rounds {
public:
    constexpr guided_rounds() noexcept = default;
    constexpr guided_rounds(std::uint64_t chunks, unsigned threads) noexcept
        : each_(chunks_of(chunks, threads)), chunks_(chunks), threads_(threads) {}

    constexpr unsigned count() const noexcept { return static_cast<unsigned>(std::bit_width(each_)); }
    // The number of pieces of a thread, without the one that has the last chunk.
    constexpr unsigned pieces(unsigned thread) const noexcept {
        return count() - (each_ != 0 && thread >= last_thread() ? 1 : 0);
    }
    // The chunks of a piece.
    constexpr iteration_range piece(unsigned round, unsigned thread) const noexcept {
        const std::uint64_t left = each_ >> round;
        const std::uint64_t many = left - left / 2;
        const std::uint64_t begin = (each_ - left) * threads_ + many * thread;
        return {begin, begin + many};
    }

private:
    constexpr unsigned last_thread() const noexcept {
        return static_cast<unsigned>(chunks_ - 1 - (each_ - 1) * threads_);
    }

    std::uint64_t each_ = 0;  // chunks for a thread, rounded up
    std::uint64_t chunks_ = 0;
    unsigned threads_ = 1;
};

// The part of one thread, or of one team, in a static loop, in the form that Clang's code expects. That code does
//
//   chunked:      for (; ; first += stride, last += stride) { last' = min(last, end); if (first > last') break; run }
//   not chunked:  last' = min(last, end); run first to last'
//
// with the comparisons reversed for a negative step. So an empty part has first > last, and neither of them may wrap
// around at the ends of the type. A stride that leads past the end of the loop is shortened, so that the sum does not
// wrap around either.
struct part_of_team {
    unsigned number;
    unsigned size;
};

template <class Value>
struct static_bounds {
    Value first;
    Value last;
    std::make_signed_t<Value> stride;
    bool is_last;  // the part has the loop's last iteration
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
        // Beside the loop's last value, on the side where the type has another value.
        constexpr Value highest = std::numeric_limits<Value>::max(), lowest = std::numeric_limits<Value>::min();
        if (step < 0)
            return last != lowest ? static_bounds<Value>{static_cast<Value>(last - 1), last, step, false}
                                  : static_bounds<Value>{last, static_cast<Value>(last + 1), step, false};
        return last != highest ? static_bounds<Value>{static_cast<Value>(last + 1), last, step, false}
                               : static_bounds<Value>{last, static_cast<Value>(last - 1), step, false};
    }
    // Only the loop's last chunk may be shorter than the others.
    return {static_cast<Value>(space.value(mine.begin)), static_cast<Value>(space.value(mine.end - 1)),
            static_cast<stride_type>(stride * space.step), is_last};
}

}  // namespace teff::openmp
