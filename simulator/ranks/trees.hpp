// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trees of UTS for simulations of many machines: nodes are made as by the benchmark (bench/uts/uts.hpp), by SHA-1,
// so that a small tree is the benchmark's own, node by node. A geometric tree may have far more nodes than can be made,
// so a whole subtree of a few levels can be taken at once instead: its root's children are the real ones, and the sizes
// of their subtrees are drawn from their distribution, by the digest of the root.
//
// A subtree that is made node by node and one that is drawn have different sizes, but the same distribution of them.
// The sum over many differs by their standard error: by less than 0.1 % for trees of more than 100 million nodes
// (trees_test.cpp compares with the published counts).
//
// The distribution is that of a branching process: a table of equally likely sizes for each number of levels. The table
// of a level is made of the one below by taking each of its entries equally often, so its mean is exact.
#pragma once

#include <bench/uts/uts.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace simulator {

using tree_node = bench::uts::node;

class sampled_tree {
public:
    // Throws std::bad_alloc.
    explicit sampled_tree(const bench::uts::tree& tree);

    tree_node root() const { return tree_.root(); }
    std::uint32_t children_of(const tree_node& node) const { return tree_.children_of(node); }
    static tree_node child_of(const tree_node& node, std::uint32_t index) { return node.child(index); }

    // How many nodes a node's subtree has on average, with itself. Infinite where it cannot be drawn.
    double mean_size(const tree_node& node) const noexcept { return means_[level_of(node)]; }
    // Draws the size of a node's subtree, whose mean must not be infinite.
    std::uint64_t draw_size(const tree_node& node) const noexcept;

private:
    // Levels below the node. The mean sizes are infinite from `most_levels` on, and in binomial trees.
    static constexpr std::uint32_t most_levels = 11, table_size = 1 << 14;

    std::size_t level_of(const tree_node& node) const noexcept {
        return node.height < tree_.depth ? std::min(tree_.depth - node.height, most_levels) : 0;
    }
    void fill_tables();

    const bench::uts::tree tree_;
    std::vector<double> means_;
    std::vector<std::vector<std::uint32_t>> sizes_;  // by levels below the node
};

// A tree by its name in the benchmark, or in the benchmark's published list of large trees: T1XL, T1XXL, T1WL. For
// names such as G18: geometric, of that depth, with T1WL's root.
struct named_tree {
    std::string name;
    bench::uts::tree tree;
    std::uint64_t nodes = 0;  // published; 0: unknown
};

// Throws std::invalid_argument with a text that names the trees that there are.
named_tree find_tree(std::string_view name);

}  // namespace simulator
