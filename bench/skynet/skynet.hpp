// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree whose nodes have ten children each, and whose leaves are numbered from zero: the program `skynet`
// (A. Temerev, https://github.com/atemerev/skynet), which many comparisons of runtimes have. The result is the sum of
// the leaves' numbers.
//
// A task is a node. It creates a task for each child, waits for them and adds up their results; a leaf returns its
// number. Like fib, this measures what a task costs; unlike fib, a task has many children at once, and the tree is wide
// and flat.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>
#include <cstdint>

namespace bench::skynet {

constexpr std::size_t children = 10;

// A node: the number of its first leaf, and how many it has.
struct node {
    std::uint64_t first;
    std::uint64_t leaves;

    bool is_leaf() const { return leaves == 1; }
    node child(std::size_t index) const {
        const std::uint64_t each = leaves / children;
        return {first + index * each, each};
    }
};

// The root of the tree that p asks for.
node root(const parameters& p);

// The tasks that it reports are all nodes.
outcome checked(const parameters& p, double seconds, std::uint64_t sum);

// What run_skynet() does with a runtime's forks (harness/serial.hpp) and its task, which sums up below a node.
template <class Forks, class Task> outcome measured(const parameters& p, const Task& task) {
    const node top = root(p);
    std::uint64_t sum = 0;
    const double seconds = time_seconds([&] { Forks::run(p, [&] { sum = task(top); }); });
    return checked(p, seconds, sum);
}

}  // namespace bench::skynet
