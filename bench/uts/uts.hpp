// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unbalanced tree search (Olivier et al., "UTS: An Unbalanced Tree Search Benchmark", LCPC 2006; Blaze-Tasks, section
// 5.1): counts the nodes of a tree that is generated during the traversal. The state of a node is the digest of its
// parent's digest and its own index among its siblings. So every traversal finds the same tree, and the size of a
// subtree cannot be predicted.
//
// Binomial trees: the root has many children; every other node has m children with probability q, otherwise none.
// Geometric trees, of the fixed shape: on average b children per node, down to a given depth.
//
// The work factor makes tasks longer without changing the tree (X-OpenMP, Fig. 13; the benchmark calls it compute
// granularity): the digest of each child is computed that many times, by the task of its parent, as in the benchmark.
//
// A task is a node, by value; it creates a task for each child and has no continuation, as in the paper.
#pragma once

#include <bench/harness/kernel.hpp>
#include <bench/uts/sha1.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bench::uts {

constexpr std::uint32_t most_children = 100;       // of any node except a binomial tree's root
constexpr std::uint32_t greatest_work = 1000;      // work factor

struct node {
    digest state;
    std::uint32_t height;

    node child(std::uint32_t index) const {
        return {sha1(state, index), height + 1};
    }

    // The node's random number: 31 bits of its digest.
    std::uint32_t draw() const { return state[4] & 0x7fffffffU; }
};

// Calls hash(index) `times` times. The compiler can neither merge the calls nor drop one: it knows neither the index
// nor that nothing reads the results.
template <class Hash> void repeat_hash(std::uint32_t times, std::uint32_t index, const Hash& hash) {
    for (; times > 0; --times) {
        asm volatile("" : "+r"(index));
        const digest result = hash(index);
        asm volatile("" : : "m"(result));
    }
}

// The work of a factor above 1. Not inlined, so that it costs the usual factor of 1 only a test.
void repeat_digest(std::uint32_t times, const node& parent, std::uint32_t index);

enum class shape : std::uint32_t { binomial, geometric };

struct tree {
    shape kind;
    std::uint32_t seed;
    std::uint32_t root_children = 0;      // binomial
    std::uint32_t children = 0;           // binomial: m
    double probability = 0;               // binomial: q
    std::uint32_t depth = 0;              // geometric
    double log_probability = 0;           // geometric: logarithm of the probability of one more child
    std::uint32_t work = 1;               // the work factor, 1 to greatest_work

    static tree binomial(std::uint32_t root_children, double q, std::uint32_t m, std::uint32_t seed) {
        return {.kind = shape::binomial, .seed = seed, .root_children = root_children, .children = m, .probability = q};
    }

    // The expected number of children of a node above depth `depth` is `average`.
    static tree geometric(double average, std::uint32_t depth, std::uint32_t seed) {
        const double one_more = 1 - 1 / (1 + average);
        return {.kind = shape::geometric, .seed = seed, .depth = depth, .log_probability = std::log(one_more)};
    }

    node root() const { return {sha1(std::array<std::uint32_t, 5>{0, 0, 0, 0, seed}), 0}; }

    // With a work factor above 1 this takes longer.
    node child_of(const node& parent, std::uint32_t index) const {
        if (work != 1) [[unlikely]]
            repeat_digest(work - 1, parent, index);
        return parent.child(index);
    }

    std::uint32_t children_of(const node& parent) const {
        if (kind == shape::binomial && parent.height == 0) return root_children;
        const double drawn = static_cast<double>(parent.draw()) * 0x1p-31;
        if (kind == shape::binomial) return drawn < probability ? children : 0;
        if (parent.height >= depth) return 0;
        return std::min(static_cast<std::uint32_t>(std::log(1 - drawn) / log_probability), most_children);
    }
};

struct counts {
    std::uint64_t nodes = 0;
    std::uint64_t leaves = 0;
    std::uint64_t depth = 0;          // the greatest height of a node

    counts& operator+=(const counts& other) {
        nodes += other.nodes;
        leaves += other.leaves;
        depth = std::max(depth, other.depth);
        return *this;
    }

    static counts of(const node& one, std::uint32_t children) {
        return {1, children == 0 ? std::uint64_t{1} : 0, one.height};
    }
};

// The task as the body of a reduction over tasks.
struct body {
    uts::tree tree;

    template <class Pool> counts operator()(Pool& pool, const node& parent) const {
        const std::uint32_t children = tree.children_of(parent);
        for (std::uint32_t index = 0; index < children; ++index) pool.enq(tree.child_of(parent, index));
        return counts::of(parent, children);
    }
};

enum class known { nodes, all };       // nodes: the depth and the leaves are not known

// A tree and its expected counts.
struct workload {
    uts::tree tree;
    counts expected;
    known what;
};

// The tree that p asks for: by name, with a work factor behind a slash if it is not 1 (T3L/10), or from a file.
workload chosen(const parameters& p);

outcome checked(const workload& asked, double seconds, const counts& found);

// Both variants on a runtime whose harness sums partial results per thread: waiting(tree, node) returns the counts of a
// subtree, and summing(tree, node, where...) creates tasks that add theirs.
template <class Forks, class Waiting, class Summing>
outcome run_variants(const parameters& p, const Waiting& waiting, const Summing& summing) {
    const workload asked = chosen(p);
    const node root = asked.tree.root();
    if (p.variant == "wait") {
        const auto [seconds, found] = timed_call<Forks>(p, [&] { return waiting(asked.tree, root); });
        return checked(asked, seconds, found);
    }
    const auto [seconds, total] =
        summed_over_threads<counts>(p, [&](auto&... where) { summing(asked.tree, root, where...); });
    return checked(asked, seconds, total);
}

}  // namespace bench::uts
