// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The random tree, its sizes and the check; see tree.hpp.
#include <bench/threads/tree.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/random.hpp>
#include <bench/harness/size.hpp>

namespace bench::threads {
namespace {

constexpr size_part parts[] = {{"NODES", 1, 1'000'000'000}};

std::uint64_t count(const parameters& p) { return size_numbers(tree_description, p, parts)[0]; }

const micro_description micro = {
    .headline = "thread_ns", .headline_title = "ns/thread",
    .figures = {seconds_over("Sum over a random tree", "nodes", "nodes", 1e-6)},
};

}  // namespace

const kernel_description tree_description = {
    .name = "tree",
    .sizes = {.quick = "1024,8192,65536", .paper = "8,64,512,1024,2048,4096,65536,1048576", .tiny = "100",
              .check = "500"},
    .variants = variants,
    .memory_bytes =
        [](const parameters& p, runtime_family family) {
            return count(p) * sizeof(tree::node) + memory_bytes(p, family, count(p));
        },
    .micro = &micro, .threads = true,
};

namespace tree {
namespace {

// Makes the tree of `count` nodes whose root is nodes[first]; the nodes of a side follow each other. The depth is
// logarithmic, as that of quicksort with random pivots.
void make_tree(std::vector<node>& nodes, std::uint64_t first, std::uint64_t count, seeded_random& random) {
    node& root = nodes[first];
    root.number = first + 1;
    const std::uint64_t below = count - 1;
    const std::uint64_t on_left = below == 0 ? 0 : random.below(below + 1);
    if (on_left != 0) {
        root.left = &nodes[first + 1];
        make_tree(nodes, first + 1, on_left, random);
    }
    if (on_left != below) {
        root.right = &nodes[first + 1 + on_left];
        make_tree(nodes, first + 1 + on_left, below - on_left, random);
    }
}

}  // namespace

std::vector<node> generated(const parameters& p) {
    constexpr std::uint64_t seed = 2017;
    seeded_random random(seed);
    std::vector<node> nodes(count(p));
    make_tree(nodes, 0, nodes.size(), random);
    return nodes;
}

outcome checked(const std::vector<node>& nodes, std::uint64_t sum, double seconds) {
    const std::uint64_t expected = nodes.size() * (nodes.size() + 1) / 2;
    // The root's thread is that of the caller.
    return with_thread_measures(
        exact_outcome(seconds, nodes.size() - 1, std::to_string(sum), std::to_string(expected)), "nodes",
        nodes.size());
}

}  // namespace tree
}  // namespace bench::threads
