// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// knapsack as a reduction over tasks of this library.
#include <bench/knapsack/knapsack.hpp>

#include <bench/harness/teff.hpp>

namespace bench {

outcome run_knapsack(const parameters& p) {
    const knapsack::problem input = knapsack::problem_of(p);
    return knapsack::with_bound(p, input, [&]<class Bound>(Bound& bound) {
        knapsack::result found;
        const double seconds = time_seconds([&] {
            found = teff::reduce_tasks(options_of(p), knapsack::body<Bound>{input, bound}, knapsack::first_task(input));
        });
        return knapsack::checked(p, input, seconds, found);
    });
}

}  // namespace bench
