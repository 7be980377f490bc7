// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bursts counts its tasks, and compares with a plain loop.
#include <bench/bursts/bursts.hpp>

#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

namespace bench::bursts {
namespace {

void call(const task& run, unsigned times) {
    for (unsigned index = 0; index < times; ++index) run();
}

face which_calls(unsigned times) {
    const burst one = [times](const task& run) { call(run, times); };
    return {.group = one, .loop = one, .arena = one, .enqueue = one};
}

parameters of_bursts(const std::string& size, const std::string& variant) {
    parameters p = of_size(size);
    p.variant = variant;
    return p;
}

TEST(bursts, every_task_is_counted) {
    for (const char* variant : {"group", "loop", "arena", "enqueue"}) {
        const outcome all = measured(of_bursts("3x10x5", variant), which_calls(tasks));
        EXPECT_TRUE(all.verified) << all.answer;
        EXPECT_FALSE(measured(of_bursts("3x10x5", variant), which_calls(tasks - 1)).verified);
    }
}

TEST(bursts, work_that_is_done_eight_times_takes_longer) {
    const outcome more = measured(of_bursts("1x20000x50", "group"), which_calls(8 * tasks));
    ASSERT_EQ(more.measures.size(), 4U);
    EXPECT_GT(more.measures[2].values.at(0), 2);
    EXPECT_GT(more.measures[3].values.at(0), 2);
}

TEST(bursts, sizes_out_of_range_are_refused) {
    EXPECT_THROW(measured(of_bursts("0x1x1", "group"), which_calls(tasks)), usage_error);
    EXPECT_THROW(measured(of_bursts("1x1", "group"), which_calls(tasks)), usage_error);
}

}  // namespace
}  // namespace bench::bursts
