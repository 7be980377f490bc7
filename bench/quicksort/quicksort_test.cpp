// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every partition of quicksort has two ordered parts, and its check detects disorder and lost elements.
#include <bench/quicksort/quicksort.hpp>

#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace bench::quicksort {
namespace {

// Returns the number of ranges in which the recursion ends.
std::size_t sort(element* first, element* last) {
    if (last - first < 2) return 1;
    element* const middle = partition(first, last);
    return sort(first, middle) + sort(middle, last);
}

TEST(quicksort, a_partition_has_two_parts_in_order) {
    // Every range of two to six elements, each element one of four values.
    for (unsigned length = 2; length <= 6; ++length) {
        for (unsigned code = 0; code < 1U << 2 * length; ++code) {
            std::vector<element> range;
            for (unsigned index = 0; index < length; ++index) range.push_back(code >> 2 * index & 3);
            const std::vector<element> before = range;
            element* const first = range.data();
            element* const last = first + length;
            element* const middle = partition(first, last);
            ASSERT_GT(middle, first) << code;
            ASSERT_LT(middle, last) << code;
            EXPECT_LE(*std::max_element(first, middle), *std::min_element(middle, last)) << code;
            EXPECT_TRUE(std::is_permutation(range.begin(), range.end(), before.begin())) << code;
        }
    }
}

TEST(quicksort, ends_in_as_many_ranges_as_there_are_elements) {
    for (const char* count : {"1", "2", "3", "1000", "54321"}) {
        input made = generated(of_size(count));
        const std::size_t ranges = sort(made.begin(), made.end());
        const outcome result = checked(made, 0);
        EXPECT_TRUE(result.verified) << result.answer << ", expected " << result.expected;
        EXPECT_EQ(result.tasks, ranges);
    }
}

TEST(quicksort, disorder_and_lost_elements_are_noticed) {
    input made = generated(of_size("100"));
    EXPECT_FALSE(checked(made, 0).verified);
    sort(made.begin(), made.end());
    EXPECT_TRUE(checked(made, 0).verified);
    made.elements[7] = made.elements[8];
    EXPECT_FALSE(checked(made, 0).verified);
}

TEST(quicksort, sizes_out_of_range_are_refused) {
    EXPECT_EQ(generated(of_size("quicksort:30")).elements.size(), 30U);
    EXPECT_THROW(generated(of_size("0")), usage_error);
    EXPECT_THROW(generated(of_size("1000000001")), usage_error);
}

}  // namespace
}  // namespace bench::quicksort
