// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// knapsack with OpenMP tasks: without waiting, with partial results per thread; and as in the Barcelona suite, where
// each task waits for the two that it created.
#include <bench/knapsack/knapsack.hpp>

#include <bench/harness/openmp.hpp>

#include <optional>

namespace bench {
namespace {

template <class Bound> struct waiting_search {
    const knapsack::problem& input;
    Bound& bound;
    long cutoff;                         // with at most so many items left there are no tasks

    // The result of a node without children.
    std::optional<knapsack::result> leaf(knapsack::task node) const {
        if (node.room < 0) return knapsack::result{.tasks = 1};
        const knapsack::verdict seen = knapsack::look_at(input, bound, node);
        if (seen == knapsack::verdict::full) return knapsack::result{node.value, 1};
        if (seen == knapsack::verdict::cut_off) return knapsack::result{.tasks = 1};
        return std::nullopt;
    }

    knapsack::result run_directly(knapsack::task node) const {
        if (const auto known = leaf(node)) return *known;
        knapsack::result both = run_directly(knapsack::without_next(node));
        both += run_directly(knapsack::with_next(input, node));
        return both;
    }

    knapsack::result run(knapsack::task node) const {
        if (static_cast<long>(input.items.size()) - node.next <= cutoff) return run_directly(node);
        if (const auto known = leaf(node)) return *known;
        const waiting_search* self = this;
        knapsack::result without;
        knapsack::result with;
#pragma omp task default(none) firstprivate(self, node) shared(without)
        without = self->run(knapsack::without_next(node));
#pragma omp task default(none) firstprivate(self, node) shared(with)
        with = self->run(knapsack::with_next(self->input, node));
#pragma omp taskwait
        without += with;
        return without;
    }
};

}  // namespace

outcome run_knapsack(const parameters& p) {
    const knapsack::problem input = knapsack::problem_of(p);
    const knapsack::task first = knapsack::first_task(input);
    return knapsack::with_bound(p, input, [&]<class Bound>(Bound& bound) {
        if (p.variant == "wait") {
            const waiting_search<Bound> whole{input, bound, p.cutoff};
            const auto [seconds, found] = timed_call<openmp_forks>(p, [&] { return whole.run(first); });
            return knapsack::checked(p, input, seconds, found);
        }
        const auto [seconds, found] = summed_over_tasks<knapsack::result>(
            p, first, [&](const knapsack::task& node, const auto& create) {
                return knapsack::walk(input, bound, node, create);
            });
        return knapsack::checked(p, input, seconds, found);
    });
}

}  // namespace bench
