// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values are combined in their order, in logarithmically many steps, on several threads where there are some; and an
// exception reaches the caller.
#include <teff/team/tree_combination.hpp>

#include <teff/base/backoff.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// Concatenation is not commutative. `steps`: how many combinations came one after another.
struct text {
    std::string letters;
    unsigned steps = 0;
};

void append(void* into, void* from) {
    auto& left = *static_cast<text*>(into);
    const auto& right = *static_cast<text*>(from);
    left.letters += right.letters;
    left.steps = 1 + std::max(left.steps, right.steps);
}

std::vector<text> letters(unsigned count) {
    std::vector<text> made(count);
    for (unsigned i = 0; i < count; ++i)
        made[i].letters = static_cast<char>('!' + i % 90);
    return made;
}

void combine(std::vector<text>& values, unsigned threads, teff::tree_combination::combine_function function = append) {
    teff::tree_combination tree(static_cast<unsigned>(values.size()), threads, function);
    for (unsigned i = 0; i < values.size(); ++i)
        tree.set(i, &values[i]);
    tree.run();
}

TEST(tree_combination, keeps_the_order_and_takes_logarithmically_many_steps) {
    teff::pool::instance().ensure_workers(4);
    for (const unsigned threads : {1U, 2U, 5U}) {
        for (unsigned count = 2; count <= 70; ++count) {
            std::vector<text> values = letters(count);
            std::string expected;
            for (const text& each : values)
                expected += each.letters;
            combine(values, threads);
            EXPECT_EQ(values[0].letters, expected) << count << " values, " << threads << " threads";
            EXPECT_EQ(values[0].steps, static_cast<unsigned>(std::bit_width(count - 1))) << count;
        }
    }
}

TEST(tree_combination, of_as_many_as_a_team_can_have) {
    teff::pool::instance().ensure_workers(4);
    std::vector<text> values = letters(4096);
    combine(values, 4096);
    EXPECT_EQ(values[0].letters.size(), 4096U);
    EXPECT_EQ(values[0].steps, 12U);
}

// The first two combinations wait for each other, so they must run on two threads.
TEST(tree_combination, several_threads_combine_at_once) {
    teff::pool::instance().ensure_workers(3);
    static std::atomic<int> came;
    came = 0;
    std::vector<text> values = letters(16);
    combine(values, 4, [](void* into, void* from) {
        came.fetch_add(1);
        while (came.load() < 2)
            teff::yield_thread();
        append(into, from);
    });
    EXPECT_EQ(values[0].letters.size(), 16U);
    EXPECT_EQ(came, 15);
}

TEST(tree_combination, an_exception_reaches_the_caller) {
    teff::pool::instance().ensure_workers(3);
    static std::atomic<int> calls_left;
    for (int failing = 0; failing < 20; ++failing) {
        calls_left = failing;
        std::vector<text> values = letters(16);
        const auto fails = [&] {
            combine(values, 4, [](void* into, void* from) {
                if (calls_left.fetch_sub(1) == 0)
                    throw std::runtime_error("combination");
                append(into, from);
            });
        };
        // There are 15 combinations. After one has failed, the others are not made.
        if (failing < 15)
            EXPECT_THROW(fails(), std::runtime_error);
        else
            EXPECT_NO_THROW(fails());
        EXPECT_EQ(values[0].letters.size() == 16, failing >= 15);
    }
}

TEST(tree_combination, uses_no_more_threads_than_it_has_pairs) {
    const teff::tree_combination tree(4, 4096, append);
    EXPECT_TRUE(tree.has_room());
    EXPECT_EQ(tree.queued_estimate(), 2U);
    const teff::tree_combination small(2, 4096, append);
    EXPECT_FALSE(small.has_room());
}

}  // namespace
