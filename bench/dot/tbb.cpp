// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dot with oneTBB's task_group, without waiting inside tasks, with partial results per thread.
#include <bench/dot/dot.hpp>
#include <bench/harness/tbb.hpp>

namespace bench {
namespace {

using partial_products = padded_partials<dot::products>;

void task(const dot::view& elements, dot::range lower, tbb::task_group& group, partial_products& partials) {
    while (!lower.is_single())
        group.run([&elements, upper = lower.split(), &group, &partials] { task(elements, upper, group, partials); });
    own_partial(partials) += elements.at(lower.first);
}

}  // namespace

outcome run_dot(const parameters& p) {
    const dot::vectors input(p);
    const dot::view elements = input.view();
    partial_products partials(p.threads);
    const double seconds = time_seconds([&] {
        run_in_group(p.threads, [&](tbb::task_group& group) { task(elements, input.whole(), group, partials); });
    });
    return input.checked(seconds, partials.total());
}

}  // namespace bench
