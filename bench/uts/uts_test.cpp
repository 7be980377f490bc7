// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The random stream is SHA-1, with SHA-1 instructions and in plain C++ alike, and the trees have the published
// numbers of nodes.
#include <bench/uts/uts.hpp>

#include <bench/harness/random.hpp>
#include <bench/harness/stack.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

namespace bench::uts {
namespace {

counts visit(const tree& chosen) { return reduce_on_stack(body{chosen}, chosen.root()); }

void expect_published(const workload& asked) {
    const outcome found = checked(asked, 0, visit(asked.tree));
    EXPECT_TRUE(found.verified) << found.answer << ", expected " << found.expected;
}

// The digests that coreutils' sha1sum prints for these bytes.
TEST(uts, sha1_of_known_messages) {
    EXPECT_EQ(sha1(std::array<std::uint32_t, 0>{}),
              (digest{0xda39a3ee, 0x5e6b4b0d, 0x3255bfef, 0x95601890, 0xafd80709}));
    EXPECT_EQ(sha1(std::array<std::uint32_t, 1>{0x61626364}),          // abcd
              (digest{0x81fe8bfe, 0x87576c3e, 0xcb22426f, 0x8e578473, 0x82917acf}));
}

TEST(uts, sha1_by_instructions_and_in_plain_code_agree) {
    if (!has_sha1_instructions) GTEST_SKIP() << "this processor has no instructions for SHA-1";
    seeded_random random(7);
    for (int repeat = 0; repeat < 1000; ++repeat) {
        digest words;
        for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random.next());
        const auto last = static_cast<std::uint32_t>(random.next());
        EXPECT_EQ(sha1_by_instructions(words, last),
                  sha1(std::array{words[0], words[1], words[2], words[3], words[4], last}));
    }
}

TEST(uts, small_geometric_tree) { expect_published(chosen(of_size("small"))); }
TEST(uts, medium_geometric_tree) { expect_published(chosen(of_size("medium"))); }

TEST(uts, geometric_tree_T1) { expect_published(chosen(of_size("quick"))); }

TEST(uts, binomial_tree_T3) { expect_published(chosen(of_size("uts:T3"))); }

TEST(uts, a_work_factor_repeats_the_digest_and_leaves_the_tree_as_it_is) {
    std::uint32_t computed = 0;
    repeat_hash(9, 7, [&](std::uint32_t index) {
        ++computed;
        EXPECT_EQ(index, 7U);
        return digest{index};
    });
    EXPECT_EQ(computed, 9U);
    EXPECT_EQ(chosen(of_size("T3L")).tree.work, 1U);
    EXPECT_EQ(chosen(of_size("uts:T3L/10")).tree.work, 10U);
    EXPECT_EQ(chosen(of_size("uts:quick/4")).expected.nodes, chosen(of_size("T1")).expected.nodes);
    expect_published(chosen(of_size("small/5")));
}

TEST(uts, work_factors_out_of_range_are_refused) {
    for (const char* size : {"T3L/0", "T3L/1001", "T3L/", "T3L/x", "T3L/2/3", "T3L/-1", "T2/2"})
        EXPECT_THROW(chosen(of_size(size)), usage_error) << size;
}

TEST(uts, a_missing_node_a_wrong_depth_or_leaf_is_noticed) {
    const workload asked = chosen(of_size("T3"));
    const counts all = asked.expected;
    EXPECT_TRUE(checked(asked, 0, all).verified);
    EXPECT_FALSE(checked(asked, 0, {all.nodes - 1, all.leaves, all.depth}).verified);
    EXPECT_FALSE(checked(asked, 0, {all.nodes, all.leaves - 1, all.depth}).verified);
    EXPECT_FALSE(checked(asked, 0, {all.nodes, all.leaves, all.depth + 1}).verified);
}

TEST(uts, results_add_up_to_the_greatest_depth) {
    counts sum = {1, 1, 5};
    sum += {2, 1, 3};
    EXPECT_EQ(sum.nodes, 3U);
    EXPECT_EQ(sum.leaves, 2U);
    EXPECT_EQ(sum.depth, 5U);
}

TEST(uts, reads_a_tree_from_a_file) {
    const written_file file("3 0.5 2 11 6 1 1 1\n# what follows is not read\n");
    parameters asked;
    asked.input = file.path();
    const workload read = chosen(asked);
    EXPECT_EQ(read.what, known::nodes);
    EXPECT_EQ(read.tree.work, 6U);
    const counts found = visit(read.tree);
    EXPECT_EQ(found.nodes, 1 + 3 + 2 * (found.nodes - found.leaves - 1));
}

TEST(uts, a_malformed_file_is_refused) {
    for (const char* text : {"", "3 0.5", "3 1.5 2 11 1 1 1 1", "3 0.5 2 11 0 1 1 1", "x 0.5 2 11 1 1 1 1"}) {
        const written_file file(text);
        parameters asked;
        asked.input = file.path();
        EXPECT_THROW(chosen(asked), usage_error) << text;
    }
}

TEST(uts, a_sample_file_has_the_published_tree) {
    parameters asked;
    asked.input = sample_path("uts/test.input");
    if (asked.input.empty()) GTEST_SKIP() << "no sample inputs here";
    const workload read = chosen(asked);
    EXPECT_EQ(read.what, known::all);
    expect_published(read);
}

TEST(uts, unknown_names_are_refused) { EXPECT_THROW(chosen(of_size("T2")), usage_error); }

}  // namespace
}  // namespace bench::uts
