// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tsp with OpenMP tasks, without waiting, with partial results per thread.
#include <bench/tsp/tsp.hpp>

#include <bench/harness/openmp.hpp>

namespace bench {
namespace {

struct search {
    const tsp::problem& input;
    padded_partials<tsp::result>& partials;

    void create(const tsp::task& node) const {
        const search* self = this;
#pragma omp task default(none) firstprivate(self, node)
        self->run(node);
    }

    void run(const tsp::task& node) const {
        own_partial(partials) += tsp::walk(input, node, [this](const tsp::task& child) { create(child); });
    }
};

}  // namespace

outcome run_tsp(const parameters& p);

outcome run_tsp(const parameters& p) {
    const tsp::problem input = tsp::problem_of(p);
    const tsp::task first = tsp::first_task(input);
    padded_partials<tsp::result> partials(p.threads);
    const search whole{input, partials};
    const double seconds = time_seconds([&] { run_in_region(p.threads, [&] { whole.run(first); }); });
    return tsp::checked(input, seconds, partials.total());
}

}  // namespace bench
