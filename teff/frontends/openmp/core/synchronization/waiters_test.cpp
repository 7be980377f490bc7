// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that wait for a number see all writes before it was reached, and no wake-up is lost.
#include <teff/frontends/openmp/core/synchronization/waiters.hpp>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace {

using teff::openmp::progress;

const teff::atomic<bool> never{false};

// Each thread advances the number in its turn. With many threads most of them sleep.
void take_turns(unsigned threads, unsigned rounds) {
    progress turn;
    std::uint64_t seen = 0;
    std::vector<std::thread> all;
    for (unsigned number = 0; number < threads; ++number)
        all.emplace_back([&, number] {
            for (unsigned round = 0; round < rounds; ++round) {
                const std::uint64_t mine = std::uint64_t{round} * threads + number;
                EXPECT_TRUE(turn.await(mine, threads, never));
                EXPECT_EQ(seen, mine);
                seen = mine + 1;
                turn.advance_to(mine + 1);
            }
        });
    for (std::thread& each : all)
        each.join();
    EXPECT_EQ(seen, std::uint64_t{threads} * rounds);
}

TEST(progress, two_threads_take_turns) { take_turns(2, 20'000); }
TEST(progress, more_threads_than_cpus_take_turns) { take_turns(32, 200); }

TEST(progress, a_target_in_the_past_is_reached) {
    progress made;
    made.advance_to(7);
    EXPECT_TRUE(made.has_reached(7));
    EXPECT_FALSE(made.has_reached(8));
    EXPECT_TRUE(made.await(3, 1, never));
    made.restart_at(2);
    EXPECT_FALSE(made.has_reached(3));
}

}  // namespace
