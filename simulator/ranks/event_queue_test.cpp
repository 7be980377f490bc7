// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of event_queue.hpp: events come out by time, and those of one time in the order in which they were added.
#include <simulator/ranks/event_queue.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace simulator {
namespace {

TEST(event_queue, events_come_out_by_time) {
    event_queue<int> queue;
    for (const duration at : {5, 1, 4, 2, 3})
        queue.add(at, static_cast<int>(10 * at));
    EXPECT_EQ(queue.size(), 5U);
    for (int expected = 1; expected <= 5; ++expected) {
        const auto next = queue.take();
        EXPECT_EQ(next.at, expected);
        EXPECT_EQ(next.what, 10 * expected);
    }
    EXPECT_TRUE(queue.empty());
}

TEST(event_queue, events_of_one_time_keep_their_order) {
    event_queue<int> queue;
    for (int i = 0; i < 1000; ++i)
        queue.add(i % 3, i);
    std::vector<int> taken[3];
    for (duration last = 0; !queue.empty();) {
        const auto next = queue.take();
        EXPECT_GE(next.at, last);
        last = next.at;
        taken[next.at].push_back(next.what);
    }
    for (const auto& each : taken)
        EXPECT_TRUE(std::is_sorted(each.begin(), each.end()));
}

TEST(event_queue, adding_and_taking_may_alternate) {
    event_queue<std::uint64_t> queue;
    std::uint64_t random = 1;
    duration now = 0;
    std::size_t taken = 0;
    for (int i = 0; i < 20'000; ++i) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        queue.add(now + static_cast<duration>(random >> 50), random);
        if (i % 3 != 0) {
            const auto next = queue.take();
            ASSERT_GE(next.at, now);
            now = next.at;
            ++taken;
        }
    }
    EXPECT_EQ(queue.size() + taken, 20'000U);
}

}  // namespace
}  // namespace simulator
