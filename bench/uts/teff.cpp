// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// uts with this library: as a reduction over tasks, and by fork and join.
#include <bench/harness/teff.hpp>
#include <bench/uts/uts.hpp>

namespace bench {
namespace {

uts::counts waiting_task(const uts::tree& tree, const uts::node& parent);

// The subtrees of the children from `first` up to, but not including, `last`; there is at least one. A fork has two
// branches, so the children of a node are the leaves of a binary tree of forks.
uts::counts subtrees(const uts::tree& tree, const uts::node& parent, std::uint32_t first, std::uint32_t last) {
    if (last - first == 1) return waiting_task(tree, tree.child_of(parent, first));
    const std::uint32_t middle = first + (last - first) / 2;
    auto [sum, right] =
        teff::fork_join([&tree, &parent, first, middle] { return subtrees(tree, parent, first, middle); },
                        [&tree, &parent, middle, last] { return subtrees(tree, parent, middle, last); });
    sum += right;
    return sum;
}

uts::counts waiting_task(const uts::tree& tree, const uts::node& parent) {
    const std::uint32_t children = tree.children_of(parent);
    uts::counts sum = uts::counts::of(parent, children);
    if (children != 0) sum += subtrees(tree, parent, 0, children);
    return sum;
}

}  // namespace

outcome run_uts(const parameters& p) {
    const uts::workload asked = uts::chosen(p);
    uts::counts found;
    const double seconds = time_seconds([&] {
        found = p.variant == "wait"
                    ? teff::execute(options_of(p), [&] { return waiting_task(asked.tree, asked.tree.root()); })
                    : teff::reduce_tasks(options_of(p), uts::body{asked.tree}, asked.tree.root());
    });
    return uts::checked(asked, seconds, found);
}

}  // namespace bench
