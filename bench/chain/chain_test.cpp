// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// chain counts its steps, and measures what the tasks take beyond a plain loop.
#include <bench/chain/chain.hpp>

#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <chrono>

namespace bench::chain {
namespace {

void call(std::uint64_t count, const step& run) {
    for (; count != 0; --count) run();
}

TEST(chain, counts_the_steps_of_all_rounds) {
    const outcome plain = measured(of_size("1x10"), call);
    EXPECT_TRUE(plain.verified) << plain.answer;
    EXPECT_EQ(plain.tasks, 7U * 10);
}

TEST(chain, measures_what_tasks_take_beyond_a_plain_loop) {
    constexpr double extra_ns = 100'000;
    const outcome slow = measured(of_size("1x10"), [](std::uint64_t count, const step& run) {
        for (; count != 0; --count) {
            const auto begin = std::chrono::steady_clock::now();
            run();
            while (std::chrono::steady_clock::now() - begin < std::chrono::microseconds(200)) {}
        }
    });
    EXPECT_TRUE(slow.verified) << slow.answer;
    EXPECT_GT(slow.measures.at(1).values.at(0), extra_ns);
}

TEST(chain, lost_steps_are_noticed) {
    const auto lose_one = [](std::uint64_t count, const step& run) { call(count - 1, run); };
    EXPECT_FALSE(measured(of_size("1x10"), lose_one).verified);
    EXPECT_THROW(measured(of_size("0x10"), call), usage_error);
}

}  // namespace
}  // namespace bench::chain
