// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of network.hpp: what a message takes, alone and beside others.
#include <simulator/ranks/network.hpp>

#include <gtest/gtest.h>

namespace simulator {
namespace {

// 1000 ns of latency, 1 byte per ns, no header, 10000 bytes without an announcement.
constexpr network_costs simple = {1000, 1, 500, 500, 10'000, 0};

TEST(network, a_message_takes_the_latency_and_its_bytes) {
    network net(4, simple);
    EXPECT_EQ(net.send(0, 1, 0, picoseconds(7)), picoseconds(1007));
    EXPECT_EQ(net.send(2, 3, 400, picoseconds(7)), picoseconds(1407));
}

TEST(network, a_link_carries_one_message_at_a_time) {
    network net(4, simple);
    EXPECT_EQ(net.send(0, 1, 400, 0), picoseconds(1400));
    // Waits at the sender.
    EXPECT_EQ(net.send(0, 2, 400, 0), picoseconds(1800));
    // Waits at the receiver.
    EXPECT_EQ(net.send(3, 1, 400, 0), picoseconds(1800));
    EXPECT_EQ(net.send(3, 1, 0, picoseconds(100)), picoseconds(1800)) << "not before the one sent first";
}

TEST(network, other_links_are_independent) {
    network net(4, simple);
    EXPECT_EQ(net.send(0, 1, 4000, 0), picoseconds(5000));
    EXPECT_EQ(net.send(2, 3, 4000, 0), picoseconds(5000));
    EXPECT_EQ(net.send(1, 0, 4000, 0), picoseconds(5000)) << "the other direction";
}

TEST(network, a_large_message_is_announced_first) {
    network net(2, simple);
    EXPECT_EQ(net.send(0, 1, 10'001, 0), picoseconds(3 * 1000 + 10'001));
}

}  // namespace
}  // namespace simulator
