// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a team becomes quiet, and when that ends.
#include <teff/scheduler/short_bursts.hpp>

#include <cstdint>
#include <gtest/gtest.h>

namespace {

using teff::short_bursts;

class short_bursts_of_a_team : public testing::Test {
protected:
    // Returns whether the team became quiet at the begin of the burst.
    bool burst(std::int64_t cycles, std::uint64_t helpers = 0) {
        const bool became_quiet = bursts_.begin(now_, true);
        now_ += cycles;
        bursts_.end(now_, helpers);
        ++now_;
        return became_quiet;
    }
    int bursts_until_quiet() {
        int count = 0;
        while (!burst(short_bursts::short_cycles))
            ++count;
        return count;
    }

    static constexpr std::int64_t long_cycles = short_bursts::short_cycles + 1;
    std::int64_t now_ = 1'000'000;
    short_bursts bursts_;
};

TEST_F(short_bursts_of_a_team, are_counted_until_the_team_is_quiet) {
    EXPECT_EQ(bursts_until_quiet(), 16);
    EXPECT_TRUE(bursts_.is_quiet());
    EXPECT_FALSE(burst(1)) << "it was quiet before";
    EXPECT_TRUE(bursts_.is_quiet());
}

TEST_F(short_bursts_of_a_team, long_bursts_never_make_it_quiet) {
    for (int i = 0; i < 100; ++i)
        EXPECT_FALSE(burst(long_cycles));
    EXPECT_FALSE(bursts_.is_quiet());
    // Nor do those of which every fifth is long.
    for (int i = 0; i < 100; ++i)
        EXPECT_FALSE(burst(i % 5 == 0 ? long_cycles : 1));
}

TEST_F(short_bursts_of_a_team, one_long_burst_is_forgiven_and_several_end_the_quiet) {
    bursts_until_quiet();
    for (int i = 0; i < 100; ++i)
        burst(1);
    burst(long_cycles);
    EXPECT_TRUE(bursts_.is_quiet());
    burst(long_cycles);
    EXPECT_TRUE(bursts_.is_quiet());
    burst(long_cycles);
    EXPECT_FALSE(bursts_.is_quiet());
}

TEST_F(short_bursts_of_a_team, a_burst_with_help_counts_as_twice_as_long) {
    for (int i = 0; i < 100; ++i)
        EXPECT_FALSE(burst(short_bursts::short_cycles / 2 + 1, 1));
    EXPECT_FALSE(bursts_.is_quiet());
    while (!burst(short_bursts::short_cycles / 2, 1)) {
    }
    EXPECT_TRUE(bursts_.is_quiet());
}

// An hour with some million helpers: their product would be zero.
TEST_F(short_bursts_of_a_team, a_burst_may_be_as_long_as_a_program) {
    for (int i = 0; i < 100; ++i)
        EXPECT_FALSE(burst(std::int64_t{1} << 43, (std::uint64_t{1} << 21) - 1));
    EXPECT_FALSE(bursts_.is_quiet());
}

TEST_F(short_bursts_of_a_team, a_burst_is_lasting_and_later_forgotten) {
    bursts_until_quiet();
    EXPECT_FALSE(bursts_.is_in_burst());
    bursts_.begin(now_, true);
    EXPECT_TRUE(bursts_.is_in_burst());
    EXPECT_FALSE(bursts_.is_lasting(now_ + short_bursts::lasting_cycles));
    EXPECT_TRUE(bursts_.is_lasting(now_ + short_bursts::lasting_cycles + 1));
    EXPECT_FALSE(bursts_.is_forgotten(now_ + short_bursts::forgotten_cycles));
    EXPECT_TRUE(bursts_.is_forgotten(now_ + short_bursts::forgotten_cycles + 1));
}

TEST_F(short_bursts_of_a_team, a_team_that_another_thread_has_woken_becomes_quiet_again_by_a_new_begin_only) {
    bursts_until_quiet();
    bursts_.end_quiet();
    EXPECT_FALSE(bursts_.is_quiet());
    EXPECT_FALSE(bursts_.is_lasting(now_ + short_bursts::forgotten_cycles));
    EXPECT_TRUE(burst(1)) << "the caller has to call a worker again";
    EXPECT_TRUE(bursts_.is_quiet());
}

TEST_F(short_bursts_of_a_team, other_work_ends_the_quiet) {
    bursts_until_quiet();
    EXPECT_FALSE(bursts_.begin(now_, false));
    EXPECT_FALSE(bursts_.is_quiet());
    EXPECT_TRUE(bursts_.is_in_burst());
    bursts_.end(now_ + 1, 0);
    EXPECT_TRUE(burst(1)) << "the caller has to call a worker again";
}

TEST_F(short_bursts_of_a_team, a_clock_that_was_set_back_forgets_the_burst) {
    bursts_until_quiet();
    EXPECT_TRUE(bursts_.is_forgotten(now_ - 1'000'000 + 1));
}

}  // namespace
