// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop learns, and when it divides, from durations that the test chooses.
#include <teff/algorithms/pace.hpp>

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace teff::algorithm {
namespace {

constexpr std::size_t many = 1'000'000;

// A chunk should take about 2048 to 8192 cycles.
TEST(pace, grows_until_a_chunk_takes_its_time) {
    known_pace known;
    pace mine(known, 1, many);
    std::size_t last = 0;
    while (mine.chunk() != last) {
        last = mine.chunk();
        mine.record(last, 10 * static_cast<std::int64_t>(last));
        EXPECT_LE(mine.chunk(), 8 * last);
    }
    EXPECT_GE(10 * last, 2048U);
    EXPECT_LE(10 * last, 8192U);
    EXPECT_EQ(known.load(), last);
    EXPECT_EQ(pace(known, 1, many).chunk(), last);
}

// The counters of two processors may differ.
TEST(pace, a_duration_below_zero_counts_as_one_cycle) {
    known_pace known, other;
    pace mine(known, 1, many), expected(other, 1, many);
    for (const std::int64_t cycles : {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
        mine.record(mine.chunk(), cycles);
        expected.record(expected.chunk(), 1);
        EXPECT_EQ(mine.chunk(), expected.chunk());
    }
    EXPECT_EQ(known.load(), other.load());
}

TEST(pace, shrinks_by_bounded_steps_down_to_the_grain) {
    known_pace known;
    known.store(1000);
    pace mine(known, 100, many);
    mine.record(1000, 1'000'000'000);
    EXPECT_EQ(mine.chunk(), 250U);
    mine.record(250, 1'000'000'000);
    EXPECT_EQ(mine.chunk(), 100U);
    EXPECT_TRUE(mine.is_least());
}

// The short chunk at the end of a piece says nothing about a whole chunk.
TEST(pace, a_part_of_a_chunk_shrinks_nothing) {
    known_pace known;
    known.store(1000);
    pace mine(known, 1, many);
    mine.record(2, 20);
    EXPECT_EQ(mine.chunk(), 1000U);
}

TEST(pace, a_long_loop_divides_once_a_chunk_was_measured) {
    known_pace known;
    pace mine(known, 1, many);
    EXPECT_FALSE(mine.is_worth_forking(many));
    mine.record(1, 1);
    EXPECT_FALSE(mine.is_worth_forking(many));
    mine.record(mine.chunk(), 2000);
    EXPECT_TRUE(mine.is_worth_forking(many));
}

TEST(pace, a_short_loop_divides_at_once_down_to_the_grain) {
    known_pace known;
    const pace mine(known, 2, 100);
    EXPECT_TRUE(mine.is_worth_forking(100));
    EXPECT_TRUE(mine.is_worth_forking(4));
    EXPECT_FALSE(mine.is_worth_forking(2));
}

// There is no head start where chunks have the smallest length, since their iterations may take any time.
TEST(pace, the_dividing_thread_keeps_a_little_more_than_half) {
    known_pace known;
    known.store(100);
    EXPECT_EQ(pace(known, 1, many).head_start(), 24U);
    EXPECT_EQ(pace(known, 100, many).head_start(), 0U);
}

TEST(remembered_pace, learns_from_times_that_can_be_measured) {
    remembered_pace loop;
    loop.note(10, 255);
    loop.note(10, -1000);
    EXPECT_EQ(loop.load(), 0U);
    loop.note(10, 2048);
    EXPECT_EQ(loop.load(), 5U);
    loop.note(10, 20480);
    EXPECT_EQ(loop.load(), 1U);
}

// Parts of a loop that was divided by a much too small number may all be that short.
TEST(remembered_pace, learns_from_shorter_times_that_a_number_is_too_small) {
    remembered_pace loop;
    loop.note(1, 100'000);
    EXPECT_EQ(loop.load(), 1U);
    loop.note(50, 40);
    EXPECT_EQ(loop.load(), 200U);
    loop.note(10, 40);
    EXPECT_EQ(loop.load(), 200U);
}

TEST(remembered_pace, has_a_largest_number) {
    constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
    remembered_pace loop;
    for (int i = 0; i < 2; ++i) {
        loop.note(largest, 256);
        EXPECT_EQ(loop.load(), largest / 8);
        EXPECT_LT(remembered_pace::chunk_of(loop.load()), largest / 2 + 1);
    }
}

// Whether a piece of `length` iterations is divided when a chunk has ten.
bool divides(const char* scheduler, std::size_t length, std::size_t grain = 1) {
    return execute({.threads = 1, .scheduler = scheduler}, [&] {
        known_pace known;
        known.store(10);
        return pace(known, grain, many).is_worth_forking(length);
    });
}

TEST(pace, divides_down_to_a_chunk_where_forks_are_free) {
    EXPECT_TRUE(divides("demand", 20));
    EXPECT_FALSE(divides("demand", 19));
}

// Chunks that are as short as the grain may consist of long iterations, so there pieces are still divided.
TEST(pace, divides_less_where_each_fork_is_a_task) {
    EXPECT_TRUE(divides("fifo", 320));
    EXPECT_FALSE(divides("fifo", 319));
    EXPECT_TRUE(divides("fifo", 20, 10));
    EXPECT_FALSE(divides("fifo", 19, 10));
}

}  // namespace
}  // namespace teff::algorithm
