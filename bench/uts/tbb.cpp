// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// uts with oneTBB's task_group: without waiting inside tasks, with partial results per thread; and with a group in
// each task, which waits for the tasks that it created.
#include <bench/harness/tbb.hpp>
#include <bench/uts/uts.hpp>

namespace bench {
namespace {

using partial_counts = padded_partials<uts::counts>;

void task(const uts::tree& tree, const uts::node& parent, tbb::task_group& group, partial_counts& partials) {
    const std::uint32_t children = tree.children_of(parent);
    own_partial(partials) += uts::counts::of(parent, children);
    for (std::uint32_t index = 0; index < children; ++index)
        group.run([&tree, child = tree.child_of(parent, index), &group, &partials] {
            task(tree, child, group, partials);
        });
}

uts::counts waiting_task(const uts::tree& tree, const uts::node& parent) {
    const std::uint32_t children = tree.children_of(parent);
    uts::counts sum = uts::counts::of(parent, children);
    if (children == 0) return sum;
    std::vector<uts::counts> parts(children);
    tbb::task_group group;
    for (std::uint32_t index = 0; index < children; ++index)
        group.run([&tree, child = tree.child_of(parent, index), &part = parts[index]] {
            part = waiting_task(tree, child);
        });
    group.wait();
    for (const uts::counts& part : parts) sum += part;
    return sum;
}

}  // namespace

outcome run_uts(const parameters& p) {
    return uts::run_variants<tbb_forks>(
        p, [](const uts::tree& tree, const uts::node& node) { return waiting_task(tree, node); },
        [](const uts::tree& tree, const uts::node& node, auto&... where) { task(tree, node, where...); });
}

}  // namespace bench
