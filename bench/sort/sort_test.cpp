// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sort cuts merges into parts that fit together, sorts ranges of any length, and its check detects disorder.
#include <bench/sort/sort.hpp>

#include <bench/harness/serial.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace bench::sort {
namespace {

range all_of(const std::vector<element>& elements) { return {elements.data(), elements.data() + elements.size()}; }

TEST(sort, a_cut_has_two_merges_in_order) {
    // Every two inputs with two to eight elements in all, each element one of two values.
    for (unsigned zeros = 0; zeros <= 4; ++zeros) {
        for (unsigned ones = 0; ones <= 4; ++ones) {
            for (unsigned length = 2; length <= 4; ++length) {
                std::vector<element> one(zeros, 0), other(length, 1);
                one.insert(one.end(), ones, 1);
                other[0] = 0;
                const merge_cut cut(all_of(one), all_of(other));
                const std::size_t upper = cut.upper_one.size() + cut.upper_other.size();
                EXPECT_EQ(cut.lower_size() + upper, one.size() + other.size());
                EXPECT_GT(cut.lower_size(), 0U);
                EXPECT_GT(upper, 0U);
                for (const range low : {cut.lower_one, cut.lower_other}) {
                    for (const range high : {cut.upper_one, cut.upper_other}) {
                        if (low.size() != 0 && high.size() != 0) {
                            EXPECT_LE(low.last[-1], high.first[0]);
                        }
                    }
                }
            }
        }
    }
}

TEST(sort, sorts_any_number_of_elements) {
    for (const char* count : {"1", "2048", "2049", "10000", "54321"}) {
        input made = generated(of_size(count));
        made.sort_all<serial_forks>();
        const outcome result = checked(made, 0);
        EXPECT_TRUE(result.verified) << result.answer << ", expected " << result.expected;
    }
}

TEST(sort, merges_equal_and_unequal_inputs) {
    std::vector<element> one(5000, 7), other(5000, 7);
    std::vector<element> merged(10'000);
    merge<serial_forks>(all_of(one), all_of(other), merged.data());
    EXPECT_EQ(merged, std::vector<element>(10'000, 7));
    other.assign(1, 3);
    merged.resize(5001);
    merge<serial_forks>(all_of(one), all_of(other), merged.data());
    EXPECT_TRUE(std::is_sorted(merged.begin(), merged.end()));
    EXPECT_EQ(merged[0], 3U);
}

TEST(sort, counts_its_leaves) {
    EXPECT_EQ(checked(generated(of_size("2048")), 0).tasks, 1U);
    EXPECT_EQ(checked(generated(of_size("2049")), 0).tasks, 4U);
    EXPECT_EQ(checked(generated(of_size("8193")), 0).tasks, 7U);
}

TEST(sort, disorder_and_lost_elements_are_noticed) {
    input made = generated(of_size("100"));
    EXPECT_FALSE(checked(made, 0).verified);
    made.sort_all<serial_forks>();
    EXPECT_TRUE(checked(made, 0).verified);
    made.elements[7] = made.elements[8];
    EXPECT_FALSE(checked(made, 0).verified);
}

TEST(sort, sizes_out_of_range_are_refused) {
    EXPECT_EQ(generated(of_size("sort:30")).elements.size(), 30U);
    EXPECT_THROW(generated(of_size("0")), usage_error);
    EXPECT_THROW(generated(of_size("1000000001")), usage_error);
}

}  // namespace
}  // namespace bench::sort
