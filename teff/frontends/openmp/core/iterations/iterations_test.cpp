// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iteration spaces near the ends of their types, and the parts of static loops: each iteration is in one part.
#include <teff/frontends/openmp/core/iterations/iterations.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace teff::openmp;

__extension__ using wide_value = __int128;

// The values of a loop in a wider type, in which nothing overflows.
std::vector<wide_value> values_of(wide_value first, wide_value last, wide_value step) {
    std::vector<wide_value> values;
    for (wide_value each = first; step > 0 ? each <= last : each >= last; each += step)
        values.push_back(each);
    return values;
}

// Bounds near the ends of a type and around zero.
template <class Value>
std::vector<Value> bounds() {
    constexpr Value low = std::numeric_limits<Value>::min(), high = std::numeric_limits<Value>::max();
    std::vector<Value> all;
    for (int i = 0; i < 4; ++i) {
        all.push_back(static_cast<Value>(low + static_cast<Value>(i)));
        all.push_back(static_cast<Value>(high - static_cast<Value>(i)));
        all.push_back(static_cast<Value>(high / 2 + static_cast<Value>(i)));
        all.push_back(static_cast<Value>(i));
    }
    if (low < 0)
        all.push_back(static_cast<Value>(-1));
    return all;
}
template <class Value>
std::vector<std::make_signed_t<Value>> steps() {
    using signed_value = std::make_signed_t<Value>;
    constexpr signed_value high = std::numeric_limits<signed_value>::max();
    return {1, 2, 3, high, high / 2, high / 3, -1, -2, -3, -high, static_cast<signed_value>(-high - 1), -(high / 2)};
}

template <class Value>
class loop_values : public testing::Test {};
using types = testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(loop_values, types);

template <class Value, class Check>
void for_each_short_loop(Check check) {
    for (const Value first : bounds<Value>())
        for (const Value last : bounds<Value>())
            for (const auto step : steps<Value>()) {
                const wide_value length = (static_cast<wide_value>(last) - first) / step;
                if (length < 100)
                    check(first, last, step, values_of(first, last, step));
            }
}

TYPED_TEST(loop_values, of_an_inclusive_loop_are_those_of_the_serial_loop) {
    for_each_short_loop<TypeParam>([](TypeParam first, TypeParam last, auto step, const auto& expected) {
        const iteration_space space = inclusive_space(first, last, step);
        ASSERT_EQ(space.count, expected.size());
        for (std::uint64_t i = 0; i < space.count; ++i)
            ASSERT_EQ(static_cast<TypeParam>(space.value(i)), static_cast<TypeParam>(expected[i]));
    });
}

TEST(loop_values, of_a_half_open_loop_are_those_of_the_serial_loop) {
    for_each_short_loop<std::int64_t>([](std::int64_t first, std::int64_t last, std::int64_t step, const auto&) {
        const auto expected = values_of(first, static_cast<wide_value>(last) - (step > 0 ? 1 : -1), step);
        ASSERT_EQ(half_open_space(first, last, step).count, expected.size());
    });
    for_each_short_loop<std::uint64_t>([](std::uint64_t first, std::uint64_t last, std::int64_t step, const auto&) {
        const auto expected = values_of(first, static_cast<wide_value>(last) - (step > 0 ? 1 : -1), step);
        const iteration_space space = half_open_space(step > 0, first, last, static_cast<std::uint64_t>(step));
        ASSERT_EQ(space.count, expected.size());
        for (std::uint64_t i = 0; i < space.count; ++i)
            ASSERT_EQ(space.value(i), static_cast<std::uint64_t>(expected[i]));
    });
}

TEST(loop_values, of_the_longest_loops_are_counted) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(inclusive_space<std::uint64_t>(0, most, 1).count, most);
    EXPECT_EQ(inclusive_space<std::uint64_t>(1, most, 1).count, most);
    EXPECT_EQ(half_open_space(true, 0, most, 1).count, most);
    EXPECT_EQ(half_open_space(std::numeric_limits<long>::min(), std::numeric_limits<long>::max(), 1).count, most);
    EXPECT_EQ((inclusive_space<std::int32_t>(std::numeric_limits<std::int32_t>::min(),
                                             std::numeric_limits<std::int32_t>::max(), 1)
                   .count),
              std::uint64_t{1} << 32);
}

TEST(static_schedule, blocks_follow_each_other_and_differ_by_at_most_one) {
    for (unsigned size = 1; size <= 9; ++size)
        for (std::uint64_t count = 0; count <= 40; ++count) {
            std::uint64_t next = 0;
            for (unsigned number = 0; number < size; ++number) {
                const iteration_range block = static_block(count, number, size);
                ASSERT_EQ(block.begin, next);
                const std::uint64_t length = block.end - block.begin;
                ASSERT_GE(length, count / size);
                ASSERT_LE(length, (count + size - 1) / size);
                next = block.end;
            }
            ASSERT_EQ(next, count);
        }
}

TEST(static_schedule, chunks_cover_the_loop_near_the_largest_number) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint64_t count : {most, most - 1, most / 2, std::uint64_t{1}})
        for (const std::uint64_t chunk : {most, most - 1, most / 2, most / 3, most / 7}) {
            std::uint64_t next = 0;
            for (std::uint64_t index = 0; index < chunks_of(count, chunk); ++index) {
                const iteration_range found = chunk_at(index, 1, chunk, count);
                ASSERT_EQ(found.begin, next);
                ASSERT_GT(found.end, found.begin);
                ASSERT_LE(found.end - found.begin, chunk);
                next = found.end;
            }
            ASSERT_EQ(next, count);
            ASSERT_EQ(chunk_at(0, chunks_of(count, chunk), chunk, count).end, count);
        }
}

// Runs the loop that Clang generates around the bounds. The end of the loop is included.
template <class Value, class Visit>
void run_generated_loop(static_bounds<Value> part, Value end, std::make_signed_t<Value> step, bool has_chunk,
                        Visit visit) {
    while (true) {
        const Value last = step > 0 ? std::min(part.last, end) : std::max(part.last, end);
        if (step > 0 ? part.first > last : part.first < last)
            return;
        for (const wide_value each : values_of(part.first, last, step))
            visit(static_cast<Value>(each));
        if (!has_chunk)
            return;
        part.first = static_cast<Value>(part.first + static_cast<Value>(part.stride));
        part.last = static_cast<Value>(part.last + static_cast<Value>(part.stride));
    }
}

// Round by round and thread by thread, the pieces follow each other, shrink, and lack the last chunk alone.
TEST(guided_schedule, pieces_shrink_and_cover_all_chunks_but_the_last) {
    constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint64_t chunks : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{64},
                                       std::uint64_t{100}, std::uint64_t{12'345}, largest - 1, largest}) {
        for (const unsigned threads : {1U, 2U, 3U, 7U, 64U, 1000U}) {
            SCOPED_TRACE(std::to_string(chunks) + " chunks, " + std::to_string(threads) + " threads");
            const guided_rounds rounds(chunks, threads);
            std::uint64_t next = 0, shortest = largest;
            for (unsigned round = 0; round != rounds.count(); ++round) {
                for (unsigned thread = 0; thread != threads && round < rounds.pieces(thread); ++thread) {
                    const iteration_range piece = rounds.piece(round, thread);
                    ASSERT_EQ(piece.begin, next);
                    ASSERT_GT(piece.end, piece.begin);
                    ASSERT_LE(piece.end - piece.begin, shortest);
                    shortest = piece.end - piece.begin;
                    next = piece.end;
                }
            }
            EXPECT_EQ(next, chunks - 1);
        }
    }
    for (const unsigned threads : {1U, 3U})
        for (unsigned thread = 0; thread != threads; ++thread)
            EXPECT_EQ(guided_rounds(0, threads).pieces(thread), 0U);
}

TEST(guided_schedule, a_round_has_half_of_what_is_left) {
    const guided_rounds rounds(128, 2);
    EXPECT_EQ(rounds.piece(0, 1).end, 64U);
    EXPECT_EQ(rounds.piece(1, 1).end, 96U);
    EXPECT_EQ(rounds.count(), 7U);
}

TEST(even_chunk, is_the_least_multiple_with_which_each_thread_has_one_chunk) {
    for (std::uint64_t count = 1; count <= 40; ++count)
        for (const unsigned size : {2U, 3U, 4U, 50U})
            for (const std::uint64_t unit : {1, 4, 5}) {
                const std::uint64_t chunk = even_chunk(count, size, unit);
                ASSERT_EQ(chunk % unit, 0U);
                ASSERT_LE(chunks_of(count, chunk), size);
                ASSERT_TRUE(chunk == unit || chunks_of(count, chunk - unit) > size);
            }
    EXPECT_EQ(even_chunk(0, 4, 8), 0U);
}

// Clang counts from 0, and the type has room for the number of iterations. (Its own additions would overflow at the
// end of the type.)
TYPED_TEST(loop_values, of_all_parts_of_a_static_loop_are_those_of_the_serial_loop) {
    constexpr auto high = std::numeric_limits<std::make_signed_t<TypeParam>>::max();
    for (const TypeParam last : {0, 1, 2, 3, 7, 8, 20})
        for (const unsigned size : {1U, 2U, 3U, 8U, 4096U})
            for (const std::make_signed_t<TypeParam> step : {1, 2, 3})
                for (const std::uint64_t chunk : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2},
                                                  std::uint64_t{5}, static_cast<std::uint64_t>(high)}) {
                    std::vector<int> runs(static_cast<std::size_t>(last) + 1);
                    unsigned last_ones = 0;
                    for (unsigned number = 0; number < size; ++number) {
                        const auto part = static_part<TypeParam>(0, last, step, chunk, {number, size});
                        bool has_last = false;
                        run_generated_loop<TypeParam>(part, last, step, chunk != 0, [&](TypeParam value) {
                            ASSERT_LE(value, last);
                            ++runs[static_cast<std::size_t>(value)];
                            has_last = has_last || value == last - last % static_cast<TypeParam>(step);
                        });
                        ASSERT_EQ(has_last, part.is_last);
                        last_ones += part.is_last ? 1 : 0;
                    }
                    ASSERT_EQ(last_ones, 1U);
                    for (std::size_t i = 0; i < runs.size(); ++i)
                        ASSERT_EQ(runs[i], i % static_cast<std::size_t>(step) == 0 ? 1 : 0) << i;
                }
}

// A part is well formed wherever the loop lies in its type.
TYPED_TEST(loop_values, of_blocks_stay_within_the_type) {
    for_each_short_loop<TypeParam>([](TypeParam first, TypeParam last, auto step, const auto& expected) {
        for (const unsigned size : {1U, 2U, 3U, 150U}) {
            std::vector<TypeParam> found;
            for (unsigned number = 0; number < size; ++number)
                run_generated_loop<TypeParam>(static_part<TypeParam>(first, last, step, 0, {number, size}), last,
                                              step, false, [&](TypeParam value) { found.push_back(value); });
            ASSERT_EQ(found.size(), expected.size());
            for (std::size_t i = 0; i < found.size(); ++i)
                ASSERT_EQ(found[i], static_cast<TypeParam>(expected[i]));
        }
    });
}

}  // namespace
