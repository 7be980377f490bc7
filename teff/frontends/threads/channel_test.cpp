// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Channels on threads without fibers: order, capacity, closing, and values that can only be moved.
#include <teff/frontends/threads/channel.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace {

TEST(channel, values_come_in_order) {
    teff::channel<int> channel(3);
    for (int round = 0; round < 3; ++round) {
        EXPECT_TRUE(channel.send(1));
        EXPECT_TRUE(channel.send(2));
        EXPECT_EQ(channel.size(), 2U);
        EXPECT_EQ(channel.receive(), std::optional(1));
        EXPECT_EQ(channel.receive(), std::optional(2));
    }
    EXPECT_EQ(channel.check_invariants(), nullptr);
}

TEST(channel, closed_it_takes_nothing_and_gives_what_it_has) {
    teff::channel<int> channel(2);
    EXPECT_TRUE(channel.send(1));
    EXPECT_FALSE(channel.is_closed());
    channel.close();
    channel.close();
    EXPECT_TRUE(channel.is_closed());
    EXPECT_FALSE(channel.send(2));
    EXPECT_EQ(channel.receive(), std::optional(1));
    EXPECT_EQ(channel.receive(), std::nullopt);
    EXPECT_EQ(channel.check_invariants(), nullptr);
}

TEST(channel, values_may_be_of_a_type_that_is_only_moved) {
    teff::channel<std::unique_ptr<int>> channel(1);
    std::thread sender([&] {
        for (int i = 0; i < 100; ++i)
            EXPECT_TRUE(channel.send(std::make_unique<int>(i)));
        channel.close();
    });
    int next = 0;
    while (const std::optional<std::unique_ptr<int>> received = channel.receive())
        EXPECT_EQ(**received, next++);
    EXPECT_EQ(next, 100);
    sender.join();
}

TEST(channel, without_a_buffer_the_sender_waits_for_the_receiver) {
    teff::channel<int> channel(0);
    int seen = 0;
    std::thread receiver([&] { seen = channel.receive().value_or(0); });
    EXPECT_TRUE(channel.send(7));
    receiver.join();
    EXPECT_EQ(seen, 7);
    std::thread sender([&] { EXPECT_FALSE(channel.send(8)); });
    channel.close();
    sender.join();
}

}  // namespace
