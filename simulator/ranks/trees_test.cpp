// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of trees.hpp: the trees are those of the benchmark, and sizes are drawn from the right distribution.
#include <simulator/ranks/trees.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace simulator {
namespace {

// Makes the nodes of a subtree, but draws subtrees that have at most `drawn` nodes on average.
std::uint64_t count(const sampled_tree& tree, const tree_node& root, double drawn) {
    std::uint64_t nodes = 0;
    std::vector<tree_node> left = {root};
    while (!left.empty()) {
        const tree_node node = left.back();
        left.pop_back();
        if (tree.mean_size(node) <= drawn) {
            nodes += tree.draw_size(node);
            continue;
        }
        ++nodes;
        for (std::uint32_t index = 0; index < tree.children_of(node); ++index)
            left.push_back(tree.child_of(node, index));
    }
    return nodes;
}

TEST(sampled_trees, made_node_by_node_they_are_the_published_ones) {
    for (const char* name : {"T1", "T3"}) {
        const named_tree found = find_tree(name);
        const sampled_tree tree(found.tree);
        EXPECT_EQ(count(tree, tree.root(), 0), found.nodes) << name;
    }
}

TEST(sampled_trees, the_mean_of_a_level_is_four_times_that_below_and_one) {
    const sampled_tree tree(find_tree("G12").tree);
    tree_node node = tree.root();
    double expected = 1;
    for (std::uint32_t height = 12; height > 2; --height) {
        node.height = height;
        EXPECT_NEAR(tree.mean_size(node), expected, 0.001 * expected) << height;
        expected = 1 + 4 * expected;
    }
    node.height = 1;
    EXPECT_EQ(tree.mean_size(node), std::numeric_limits<double>::infinity());
}

TEST(sampled_trees, drawn_subtrees_have_the_published_sum) {
    const named_tree found = find_tree("T1XXL");
    const sampled_tree tree(found.tree);
    const double most = 400;
    // The 4 million subtrees that are drawn have a standard error of about 0.06 % in all.
    EXPECT_NEAR(static_cast<double>(count(tree, tree.root(), 100 * most)), static_cast<double>(found.nodes),
                0.01 * static_cast<double>(found.nodes));
    // The same node has the same size each time.
    tree_node node = tree.root();
    node.height = 10;
    EXPECT_EQ(tree.draw_size(node), tree.draw_size(node));
}

TEST(sampled_trees, sizes_of_binomial_trees_are_never_drawn) {
    const sampled_tree tree(find_tree("T3").tree);
    EXPECT_TRUE(std::isinf(tree.mean_size(tree.root())));
    EXPECT_TRUE(std::isinf(tree.mean_size(tree.child_of(tree.root(), 0))));
}

TEST(sampled_trees, names_are_checked) {
    EXPECT_EQ(find_tree("G7").tree.depth, 7U);
    for (const char* name : {"", "T9", "G", "G0", "G25", "G1x", "g5"}) {
        try {
            (void)find_tree(name);
            ADD_FAILURE() << name;
        } catch (const std::invalid_argument& error) {
            EXPECT_NE(std::string(error.what()).find("use T1, T1L, "), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace simulator
