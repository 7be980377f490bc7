// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier releases its members when all have arrived, or when it is given up, and works again after a restart.
#include <teff/team/region_barriers.hpp>

#include <gtest/gtest.h>

namespace {

constexpr auto nothing_is_left = [] { return true; };
constexpr auto a_task_is_left = [] { return false; };

void open_once(teff::cancellable_barrier& barrier) {
    const teff::wait_condition first = barrier.arrive(0, 2);
    EXPECT_FALSE(barrier.try_open(2, nothing_is_left));
    const teff::wait_condition second = barrier.arrive(1, 2);
    EXPECT_FALSE(barrier.try_open(2, a_task_is_left));
    EXPECT_FALSE(first.is_met());
    EXPECT_FALSE(second.is_met());
    EXPECT_TRUE(barrier.try_open(2, nothing_is_left));
    EXPECT_TRUE(first.is_met());
    EXPECT_TRUE(second.is_met());
    EXPECT_FALSE(barrier.try_open(2, nothing_is_left));
    EXPECT_FALSE(barrier.is_given_up());
}

TEST(cancellable_barrier, opens_when_all_have_arrived) {
    teff::cancellable_barrier barrier(2);
    for (unsigned round = 0; round != 3; ++round)
        open_once(barrier);
}

TEST(cancellable_barrier, is_not_opened_when_nobody_uses_it) {
    teff::cancellable_barrier barrier(2);
    EXPECT_FALSE(barrier.try_open(0, nothing_is_left));
}

TEST(cancellable_barrier, releases_waiting_members_when_given_up) {
    for (unsigned openings = 0; openings != 2; ++openings) {
        teff::cancellable_barrier barrier(2);
        for (unsigned round = 0; round != openings; ++round)
            open_once(barrier);
        const teff::wait_condition waiting = barrier.arrive(0, 2);
        barrier.give_up();
        EXPECT_TRUE(waiting.is_met());
        EXPECT_TRUE(barrier.is_given_up());
        // One that has not seen it yet.
        EXPECT_TRUE(barrier.arrive(1, 2).is_met());
    }
}

TEST(cancellable_barrier, releases_members_of_an_earlier_opening_when_given_up) {
    teff::cancellable_barrier barrier(2);
    const teff::wait_condition slow = barrier.arrive(0, 2);
    barrier.arrive(1, 2);
    EXPECT_TRUE(barrier.try_open(2, nothing_is_left));
    barrier.give_up();
    EXPECT_TRUE(slow.is_met());
}

TEST(cancellable_barrier, forgets_those_that_left_at_a_restart) {
    for (unsigned openings = 0; openings != 2; ++openings) {
        teff::cancellable_barrier barrier(2);
        for (unsigned round = 0; round != openings; ++round)
            open_once(barrier);
        barrier.arrive(0, 2);
        barrier.give_up();
        barrier.restart();
        EXPECT_FALSE(barrier.is_given_up());
        open_once(barrier);
        open_once(barrier);
    }
}

}  // namespace
