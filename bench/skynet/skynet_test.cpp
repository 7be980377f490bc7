// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nodes of skynet's tree: each leaf is reached once, and the sums are the known ones.
#include <bench/skynet/skynet.hpp>

#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

namespace bench::skynet {
namespace {

struct counted {
    std::uint64_t sum = 0;
    std::uint64_t nodes = 0;
};

// Also checks that the leaves are reached in the order of their numbers.
counted count(node of, std::uint64_t& next_leaf) {
    if (of.is_leaf()) {
        EXPECT_EQ(of.first, next_leaf++);
        return {of.first, 1};
    }
    counted all{0, 1};
    for (std::size_t index = 0; index < children; ++index) {
        const counted part = count(of.child(index), next_leaf);
        all.sum += part.sum;
        all.nodes += part.nodes;
    }
    return all;
}

TEST(skynet, reaches_every_leaf_once) {
    std::uint64_t leaves = 1;
    for (const char* levels : {"0", "1", "2", "3", "4", "5"}) {
        std::uint64_t reached = 0;
        const counted found = count(root(of_size(levels)), reached);
        EXPECT_EQ(reached, leaves) << levels;
        const outcome result = checked(of_size(levels), 0, found.sum);
        EXPECT_TRUE(result.verified) << levels << ": " << result.answer << ", expected " << result.expected;
        EXPECT_EQ(result.tasks, found.nodes) << levels;
        leaves *= children;
    }
}

TEST(skynet, knows_the_published_sums) {
    EXPECT_TRUE(checked(of_size("6"), 0, 499'999'500'000).verified);
    EXPECT_TRUE(checked(of_size("8"), 0, 4'999'999'950'000'000).verified);
    EXPECT_FALSE(checked(of_size("6"), 0, 499'999'500'001).verified);
    EXPECT_EQ(checked(of_size("6"), 0, 0).tasks, 1'111'111U);
}

TEST(skynet, sizes_out_of_range_are_refused) {
    EXPECT_EQ(root(of_size("skynet:7")).leaves, 10'000'000U);
    EXPECT_THROW(root(of_size("10")), usage_error);
    EXPECT_THROW(root(of_size("-1")), usage_error);
}

}  // namespace
}  // namespace bench::skynet
