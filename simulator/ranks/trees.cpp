// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws sizes of subtrees; see trees.hpp.
#include <simulator/ranks/trees.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace simulator {

namespace uts = bench::uts;

namespace {

// SplitMix64 (Steele et al., OOPSLA 2014).
std::uint64_t next_random(std::uint64_t& state) noexcept {
    std::uint64_t mixed = state += 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
}

void shuffle(std::vector<std::uint32_t>& values, std::uint64_t& random) noexcept {
    for (std::size_t left = values.size(); left > 1; --left)
        std::swap(values[left - 1], values[next_random(random) % left]);
}

}  // namespace

sampled_tree::sampled_tree(const uts::tree& tree)
    : tree_(tree), means_(most_levels + 1, std::numeric_limits<double>::infinity()) {
    if (tree.kind == uts::shape::geometric)
        fill_tables();
}

void sampled_tree::fill_tables() {
    // As many children as a node with each of these equally likely random numbers has.
    std::vector<std::uint32_t> children(table_size);
    for (std::uint32_t i = 0; i < table_size; ++i) {
        const double drawn = (i + 0.5) / table_size;
        children[i] = std::min(static_cast<std::uint32_t>(std::log(1 - drawn) / tree_.log_probability),
                               uts::most_children);
    }
    std::uint64_t random = 1;
    sizes_.emplace_back(table_size, 1U);
    means_[0] = 1;
    for (std::uint32_t level = 1; level < most_levels; ++level) {
        std::vector<std::uint32_t> below = sizes_.back(), sizes(table_size, 1U);
        std::size_t next = table_size;
        shuffle(children, random);
        for (std::uint32_t i = 0; i < table_size; ++i) {
            for (std::uint32_t child = 0; child < children[i]; ++child) {
                if (next == table_size) {
                    shuffle(below, random);
                    next = 0;
                }
                sizes[i] += below[next++];
            }
        }
        means_[level] = std::accumulate(sizes.begin(), sizes.end(), 0.0) / table_size;
        sizes_.push_back(std::move(sizes));
    }
}

std::uint64_t sampled_tree::draw_size(const tree_node& node) const noexcept {
    const std::size_t level = level_of(node);
    if (level == 0)
        return 1;
    std::uint64_t random = node.state[0] | std::uint64_t{node.state[1]} << 32, size = 1;
    const std::vector<std::uint32_t>& below = sizes_[level - 1];
    for (std::uint32_t left = tree_.children_of(node); left > 0; --left)
        size += below[next_random(random) % table_size];
    return size;
}

named_tree find_tree(std::string_view name) {
    struct row {
        const char* name;
        uts::tree tree;
        std::uint64_t nodes;
    };
    static const row rows[] = {
        {"T1", uts::tree::geometric(4, 10, 19), 4'130'071},
        {"T1L", uts::tree::geometric(4, 13, 29), 102'181'082},
        {"T1XL", uts::tree::geometric(4, 15, 29), 1'635'119'272},
        {"T1XXL", uts::tree::geometric(4, 15, 19), 4'230'646'601},
        {"T1WL", uts::tree::geometric(4, 18, 19), 270'751'679'750},
        {"T3", uts::tree::binomial(2000, 0.124875, 8, 42), 4'112'897},
        {"T3L", uts::tree::binomial(2000, 0.200014, 5, 7), 111'345'631},
    };
    std::string names;
    for (const row& each : rows) {
        if (name == each.name)
            return {each.name, each.tree, each.nodes};
        names += std::string(each.name) + ", ";
    }
    constexpr std::uint32_t least_depth = 1, greatest_depth = 24;
    std::uint32_t depth = 0;
    const char* const end = name.data() + name.size();
    if (name.starts_with('G') && std::from_chars(name.data() + 1, end, depth).ptr == end && depth >= least_depth &&
        depth <= greatest_depth)
        return {std::string(name), uts::tree::geometric(4, depth, 19), 0};
    throw std::invalid_argument("there is no tree '" + std::string(name) + "'; use " + names + "or G1 to G" +
                                std::to_string(greatest_depth) + ", geometric trees of that depth");
}

}  // namespace simulator
