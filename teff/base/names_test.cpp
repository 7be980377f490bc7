// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distances between names, and which names still count as near.
#include <teff/base/names.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using teff::edit_distance;
using teff::nearest_name;

TEST(nearest_name, counts_edits) {
    EXPECT_EQ(edit_distance("", ""), 0U);
    EXPECT_EQ(edit_distance("threads", "threads"), 0U);
    EXPECT_EQ(edit_distance("thread", "threads"), 1U);
    EXPECT_EQ(edit_distance("threads", "treads"), 1U);
    EXPECT_EQ(edit_distance("bind", "bond"), 1U);
    EXPECT_EQ(edit_distance("abc", ""), 3U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(nearest_name, compares_names_up_to_its_limit) {
    const std::string longest(nearest_name::max_length, 'a');
    EXPECT_EQ(edit_distance(longest, ""), nearest_name::max_length);
    EXPECT_GT(edit_distance(longest + "a", longest), nearest_name::max_length);
}

TEST(nearest_name, takes_only_what_is_near_and_nearer_than_before) {
    nearest_name nearest("blase");
    EXPECT_FALSE(nearest.offer("demand"));
    EXPECT_TRUE(nearest.offer("bla"));
    EXPECT_TRUE(nearest.offer("blaze"));
    EXPECT_FALSE(nearest.offer("blame"));
    EXPECT_FALSE(nearest.offer("bla"));
}

TEST(nearest_name, nothing_is_near_a_name_that_is_too_long) {
    const std::string written(nearest_name::max_length + 1, 'a');
    nearest_name nearest(written);
    EXPECT_FALSE(nearest.offer(std::string(nearest_name::max_length, 'a')));
}

}  // namespace
