// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// knapsack with oneTBB's task_group, without waiting inside tasks, with partial results per thread.
#include <bench/knapsack/knapsack.hpp>

#include <bench/harness/tbb.hpp>

namespace bench {
namespace {

template <class Bound> struct search {
    const knapsack::problem& input;
    Bound& bound;
    padded_partials<knapsack::result>& partials;

    void run(tbb::task_group& group, knapsack::task node) const {
        own_partial(partials) += knapsack::walk(input, bound, node, [this, &group](knapsack::task child) {
            group.run([this, &group, child] { run(group, child); });
        });
    }
};

}  // namespace

outcome run_knapsack(const parameters& p);

outcome run_knapsack(const parameters& p) {
    const knapsack::problem input = knapsack::problem_of(p);
    const knapsack::task first = knapsack::first_task(input);
    return knapsack::with_bound(p, input, [&]<class Bound>(Bound& bound) {
        padded_partials<knapsack::result> partials(p.threads);
        const search<Bound> whole{input, bound, partials};
        const double seconds = time_seconds(
            [&] { run_in_group(p.threads, [&](tbb::task_group& group) { whole.run(group, first); }); });
        return knapsack::checked(p, input, seconds, partials.total());
    });
}

}  // namespace bench
