// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// uts without threads: the plain recursion, and the task loop over a stack.
#include <bench/harness/stack.hpp>
#include <bench/uts/uts.hpp>

namespace bench {
namespace {

TEFF_BENCH_RECURSIVE uts::counts recursive(const uts::tree& tree, const uts::node& parent) {
    const std::uint32_t children = tree.children_of(parent);
    uts::counts sum = uts::counts::of(parent, children);
    for (std::uint32_t index = 0; index < children; ++index) sum += recursive(tree, tree.child_of(parent, index));
    return sum;
}

}  // namespace

outcome run_uts(const parameters& p) {
    const uts::workload asked = uts::chosen(p);
    const uts::tree& tree = asked.tree;
    uts::counts found;
    const double seconds = time_seconds([&] {
        found = p.variant == "recursive" ? recursive(tree, tree.root())
                                         : reduce_on_stack(uts::body{tree}, tree.root());
    });
    return uts::checked(asked, seconds, found);
}

}  // namespace bench
