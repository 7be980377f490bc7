// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often a thread looks before it counts as waiting.
#include <teff/team/first_looks.hpp>

#include <gtest/gtest.h>

namespace {

using teff::first_looks;

unsigned looks_in_vain(first_looks& by) {
    unsigned looks = 0;
    EXPECT_FALSE(by.is_met_soon([&] {
        ++looks;
        return false;
    }));
    return looks;
}

TEST(first_looks, are_as_many_as_said) {
    for (const unsigned more : {0U, 1U, 5U}) {
        first_looks pausing({.more = more});
        // The last one after a yield.
        EXPECT_EQ(looks_in_vain(pausing), more == 0 ? 1 : more + 2);
        // A yield may be a long one by chance.
        first_looks yielding({.more = more, .yields = true});
        const unsigned looks = looks_in_vain(yielding);
        EXPECT_TRUE(looks >= 1 && looks <= more + 1) << looks;
    }
}

TEST(first_looks, end_when_the_condition_is_met) {
    first_looks pausing({.more = 10});
    unsigned looks = 0;
    EXPECT_TRUE(pausing.is_met_soon([&] { return ++looks == 4; }));
    EXPECT_EQ(looks, 4U);
    first_looks yielding({.more = 10, .yields = true});
    looks = 0;
    EXPECT_TRUE(yielding.is_met_soon([&] { return ++looks == 2; }));
    EXPECT_EQ(looks, 2U);
}

TEST(first_looks, end_with_a_yield) {
    first_looks pausing({.more = 10});
    unsigned looks = 0;
    EXPECT_TRUE(pausing.is_met_soon([&] { return ++looks == 12; }));
    EXPECT_EQ(looks, 12U);
}

// The condition itself takes the time that the yield seems to take.
TEST(first_looks, yield_no_more_after_a_long_yield) {
    first_looks yielding({.more = 10, .yields = true});
    auto is_met_late = [looks = 0]() mutable {
        const std::int64_t end = teff::monotonic_ns() + (looks++ == 1 ? 2'000'000 : 0);
        while (teff::monotonic_ns() < end) {
        }
        return false;
    };
    EXPECT_FALSE(yielding.is_met_soon(is_met_late));
    EXPECT_EQ(looks_in_vain(yielding), 1U);
}

}  // namespace
