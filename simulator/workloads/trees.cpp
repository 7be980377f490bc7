// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trees of small tasks: fib, a tree of forks of ten functions each, and unbalanced tree search.
#include <simulator/workloads/all.hpp>

#include <teff/fork_join.hpp>
#include <teff/reduce.hpp>

#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

namespace simulator {
namespace {

// The time of a call of fib without its children.
constexpr double fib_ns = 2;

long fib_value(long n) noexcept {
    long before = 0, value = 1;
    for (; n > 0; --n)
        before = std::exchange(value, before + value);
    return before;
}
// The number of calls of the recursion.
std::uint64_t fib_calls(long n) noexcept { return static_cast<std::uint64_t>(2 * fib_value(n + 1) - 1); }

struct fib_body {
    template <class Pool>
    long operator()(Pool& pool, long n) const {
        work_ns(fib_ns);
        if (n < 2)
            return n;
        pool.enq(n - 1);
        pool.enq(n - 2);
        return 0;
    }
};

long fork_fib(long n) {
    work_ns(fib_ns);
    if (n < 2)
        return n;
    const auto [one, other] = teff::fork_join([n] { return fork_fib(n - 1); }, [n] { return fork_fib(n - 2); });
    return one + other;
}

// A tree whose nodes have ten children, forked by one call; a task is a leaf, and the sum of their numbers is the
// result. What a leaf and a node take of their own:
constexpr double leaf_ns = 1;
constexpr std::size_t skynet_children = 10;

std::uint64_t fork_skynet(std::uint64_t first, std::uint64_t leaves) {
    work_ns(leaf_ns);
    if (leaves == 1)
        return first;
    return [=, each = leaves / skynet_children]<std::size_t... Index>(std::index_sequence<Index...>) {
        const auto sums = teff::fork_join([=] { return fork_skynet(first + Index * each, each); }...);
        return std::apply([](auto... sum) { return (sum + ...); }, sums);
    }(std::make_index_sequence<skynet_children>());
}

// Trees whose shapes follow from numbers alone, in the two ways of UTS. T1 is geometric: four children on average, down
// to a depth. T3L is binomial: a root with many children, and five children with a probability a little below 0.2 of
// every other node, so that few subtrees are large.
constexpr double uts_ns = 55;  // to hash, and to draw the number of children
struct node {
    std::uint64_t state;
    unsigned depth;
};
constexpr std::uint64_t child_state(std::uint64_t state, unsigned child) noexcept {
    std::uint64_t x = state + 0x9E3779B97F4A7C15U * (child + 1);
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
    x = (x ^ x >> 27) * 0x94D049BB133111EBU;
    return x ^ x >> 31;
}
// In [0, 1).
double draw(const node& parent) noexcept {
    return static_cast<double>(parent.state >> 11) / static_cast<double>(std::uint64_t{1} << 53);
}
constexpr node uts_root{42, 0};

struct geometric_tree {
    unsigned depth;
    unsigned children_of(const node& parent) const noexcept {
        constexpr unsigned mean = 4;
        if (parent.depth >= depth)
            return 0;
        if (parent.depth == 0)
            return mean;
        return static_cast<unsigned>(std::log(1 - draw(parent)) / std::log(mean / (1.0 + mean)));
    }
};
struct binomial_tree {
    unsigned of_root;
    unsigned children_of(const node& parent) const noexcept {
        constexpr unsigned others = 5;
        constexpr double probability = 0.1985;
        if (parent.depth == 0)
            return of_root;
        return draw(parent) < probability ? others : 0;
    }
};

template <class Tree>
std::uint64_t nodes_of(const Tree& tree) {
    std::vector<node> open{uts_root};
    std::uint64_t all = 0;
    while (!open.empty()) {
        const node child = open.back();
        open.pop_back();
        ++all;
        for (unsigned i = tree.children_of(child); i-- > 0;)
            open.push_back({child_state(child.state, i), child.depth + 1});
    }
    return all;
}

template <class Tree>
struct uts_body {
    Tree tree;
    template <class Pool>
    long operator()(Pool& pool, const node& parent) const {
        const unsigned children = tree.children_of(parent);
        for (unsigned i = 0; i < children; ++i) {
            work_ns(uts_ns);
            pool.enq(node{child_state(parent.state, i), parent.depth + 1});
        }
        return 1;
    }
};

// The first run, which is not measured, counts the nodes.
template <class Tree>
std::uint64_t run_uts(const request& wanted, const Tree& tree) {
    static const std::uint64_t expected = nodes_of(tree);
    const long nodes =
        teff::reduce_tasks({.threads = wanted.threads, .scheduler = wanted.scheduler}, uts_body<Tree>{tree}, uts_root);
    return static_cast<std::uint64_t>(nodes) == expected ? expected : 0;
}

}  // namespace

std::uint64_t run_fib_reduce(const request& wanted) {
    const long sum =
        teff::reduce_tasks({.threads = wanted.threads, .scheduler = wanted.scheduler}, fib_body{}, wanted.size);
    return sum == fib_value(wanted.size) ? fib_calls(wanted.size) : 0;
}

std::uint64_t run_fib_forks(const request& wanted) {
    long value = 0;
    teff::execute({.threads = wanted.threads, .scheduler = wanted.scheduler}, [&] { value = fork_fib(wanted.size); });
    return value == fib_value(wanted.size) ? fib_calls(wanted.size) : 0;
}

std::uint64_t run_skynet_forks(const request& wanted) {
    std::uint64_t leaves = 1;
    for (long level = 0; level < wanted.size; ++level)
        leaves *= skynet_children;
    std::uint64_t sum = 0;
    teff::execute({.threads = wanted.threads, .scheduler = wanted.scheduler}, [&] { sum = fork_skynet(0, leaves); });
    return sum == leaves * (leaves - 1) / 2 ? leaves : 0;
}

std::uint64_t run_uts_reduce(const request& wanted) {
    return run_uts(wanted, binomial_tree{static_cast<unsigned>(wanted.size)});
}
std::uint64_t run_uts_geometric(const request& wanted) {
    return run_uts(wanted, geometric_tree{static_cast<unsigned>(wanted.size)});
}

}  // namespace simulator
