// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum over a random tree, with a thread for each node (Evans et al., section 4.3): a node's thread starts one for
// each of its children and waits for them.
//
// The tree is binary. Of the nodes below a node, a random number lies on its left side. Nodes are numbered, and the
// numbers are what is summed, so the answer is known.
#pragma once

#include <bench/threads/threads.hpp>

#include <memory>
#include <vector>

namespace bench::threads::tree {

struct node {
    std::uint64_t number;
    const node* left = nullptr;
    const node* right = nullptr;
};

// As many nodes as p asks for; the first is the root.
std::vector<node> generated(const parameters& p);

outcome checked(const std::vector<node>& nodes, std::uint64_t sum, double seconds);

template <class Face> [[gnu::noinline]] std::uint64_t sum(const node& of) {
    std::uint64_t left = 0;
    std::uint64_t right = 0;
    const auto sum_left = [&] { left = sum<Face>(*of.left); };
    const auto sum_right = [&] { right = sum<Face>(*of.right); };
    if (of.left != nullptr && of.right != nullptr)
        Face::all(sum_left, sum_right);
    else if (of.left != nullptr)
        Face::all(sum_left);
    else if (of.right != nullptr)
        Face::all(sum_right);
    return of.number + left + right;
}

template <class Face> outcome measured(const parameters& p) {
    const std::vector<node> nodes = generated(p);
    std::uint64_t found = 0;
    const double seconds = time_seconds([&] { Face::run(p, [&] { found = sum<Face>(nodes.front()); }); });
    return checked(nodes, found, seconds);
}

}  // namespace bench::threads::tree
