// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// uts with OpenMP tasks: without waiting, with partial results per thread; and as in the Barcelona suite, where each
// task waits for those that it created.
#include <bench/harness/openmp.hpp>
#include <bench/uts/uts.hpp>

namespace bench {
namespace {

using partial_counts = padded_partials<uts::counts>;

void task(const uts::tree& tree, const uts::node& parent, partial_counts& partials) {
    const std::uint32_t children = tree.children_of(parent);
    own_partial(partials) += uts::counts::of(parent, children);
    for (std::uint32_t index = 0; index < children; ++index) {
        const uts::node child = tree.child_of(parent, index);
#pragma omp task default(none) firstprivate(child) shared(tree, partials)
        task(tree, child, partials);
    }
}

uts::counts waiting_task(const uts::tree& tree, const uts::node& parent) {
    const std::uint32_t children = tree.children_of(parent);
    uts::counts sum = uts::counts::of(parent, children);
    if (children == 0) return sum;
    std::vector<uts::counts> parts(children);
    for (std::uint32_t index = 0; index < children; ++index) {
        const uts::node child = tree.child_of(parent, index);
        uts::counts& part = parts[index];
#pragma omp task default(none) firstprivate(child) shared(tree, part)
        part = waiting_task(tree, child);
    }
#pragma omp taskwait
    for (const uts::counts& part : parts) sum += part;
    return sum;
}

}  // namespace

outcome run_uts(const parameters& p) {
    return uts::run_variants<openmp_forks>(
        p, [](const uts::tree& tree, const uts::node& node) { return waiting_task(tree, node); },
        [](const uts::tree& tree, const uts::node& node, auto&... where) { task(tree, node, where...); });
}

}  // namespace bench
