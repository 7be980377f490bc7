// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wake counts its iterations, and measures the time until another thread helps.
#include <bench/wake/wake.hpp>

#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace bench::wake {
namespace {

void run(const iteration& iterate, unsigned times) {
    for (unsigned index = 0; index < times; ++index) iterate();
}

TEST(wake, a_loop_without_help_counts_whole) {
    const outcome alone = measured(of_size("2x100"), [](const iteration& iterate) { run(iterate, iterations); });
    EXPECT_TRUE(alone.verified) << alone.answer;
    EXPECT_EQ(alone.tasks, 2U * iterations);
    // Each iteration lasts 10 us.
    EXPECT_GE(alone.measures.at(0).values.at(0), 10.0 * iterations);
}

TEST(wake, another_thread_is_noticed) {
    const outcome helped = measured(of_size("wake:1x0"), [](const iteration& iterate) {
        std::thread(run, std::cref(iterate), 1).join();
        run(iterate, iterations - 1);
    });
    EXPECT_TRUE(helped.verified) << helped.answer;
    EXPECT_GT(helped.measures.at(0).values.at(0), 0);
    // The other thread ran its iteration before the remaining ones, which alone take at least this long.
    EXPECT_LT(helped.measures.at(0).values.at(0), helped.seconds * 1e6 - 10.0 * (iterations - 1));
}

TEST(wake, lost_iterations_are_noticed) {
    EXPECT_FALSE(measured(of_size("1x0"), [](const iteration& iterate) { run(iterate, iterations - 1); }).verified);
    EXPECT_THROW(measured(of_size("0x0"), [](const iteration&) {}), usage_error);
}

}  // namespace
}  // namespace bench::wake
