// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tsp with oneTBB's task_group, without waiting inside tasks, with partial results per thread.
#include <bench/tsp/tsp.hpp>

#include <bench/harness/tbb.hpp>

namespace bench {
namespace {

struct search {
    const tsp::problem& input;
    padded_partials<tsp::result>& partials;

    void run(tbb::task_group& group, const tsp::task& node) const {
        own_partial(partials) += tsp::walk(input, node, [this, &group](const tsp::task& child) {
            group.run([this, &group, child] { run(group, child); });
        });
    }
};

}  // namespace

outcome run_tsp(const parameters& p);

outcome run_tsp(const parameters& p) {
    const tsp::problem input = tsp::problem_of(p);
    const tsp::task first = tsp::first_task(input);
    padded_partials<tsp::result> partials(p.threads);
    const search whole{input, partials};
    const double seconds = time_seconds(
        [&] { run_in_group(p.threads, [&](tbb::task_group& group) { whole.run(group, first); }); });
    return tsp::checked(input, seconds, partials.total());
}

}  // namespace bench
