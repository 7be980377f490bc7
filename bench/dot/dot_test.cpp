// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dot visits every element once, and its check detects a single element left out or counted twice.
#include <bench/dot/dot.hpp>

#include <bench/harness/stack.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

namespace bench::dot {
namespace {

products multiply(const vectors& input) { return reduce_on_stack(body{input.view()}, input.whole()); }

TEST(dot, a_split_keeps_every_element) {
    for (std::size_t count = 2; count <= 9; ++count) {
        range lower = {3, count};
        const range upper = lower.split();
        EXPECT_EQ(lower.first, 3U);
        EXPECT_EQ(lower.first + lower.count, upper.first);
        EXPECT_EQ(lower.count + upper.count, count);
        EXPECT_GT(lower.count, 0U);
        EXPECT_GT(upper.count, 0U);
    }
}

TEST(dot, finds_the_cosine) {
    for (const char* size : {"1", "2", "3", "1000", "4097", "300000"}) {
        const vectors input(of_size(size));
        const outcome found = input.checked(0, multiply(input));
        EXPECT_TRUE(found.verified) << size << ": " << found.answer << ", expected " << found.expected;
        EXPECT_EQ(std::to_string(found.tasks), size);
    }
}

TEST(dot, one_element_too_few_or_too_many_is_noticed) {
    const vectors input(of_size("300000"));
    const products all = multiply(input);
    for (const std::size_t index : {std::size_t{0}, std::size_t{150'000}, std::size_t{299'999}}) {
        const products one = input.view().at(index);
        EXPECT_FALSE(input.checked(0, {all.uv - one.uv, all.uu - one.uu, all.vv - one.vv}).verified) << index;
        EXPECT_FALSE(input.checked(0, {all.uv + one.uv, all.uu + one.uu, all.vv + one.vv}).verified) << index;
    }
}

TEST(dot, memory_is_that_of_the_vectors_at_least) {
    EXPECT_GE(dot_description.memory_bytes(of_size("paper"), runtime_family::teff), 1'600'000'000U);
}

}  // namespace
}  // namespace bench::dot
