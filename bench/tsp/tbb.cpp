// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tsp with oneTBB's task_group, without waiting inside tasks, with partial results per thread.
#include <bench/tsp/tsp.hpp>

#include <bench/harness/tbb.hpp>

namespace bench {

outcome run_tsp(const parameters& p) {
    const tsp::problem input = tsp::problem_of(p);
    const auto [seconds, found] = summed_over_tasks<tsp::result>(
        p, tsp::first_task(input), [&](const tsp::task& node, const auto& create) {
            return tsp::walk(input, node, create);
        });
    return tsp::checked(input, seconds, found);
}

}  // namespace bench
