// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// knapsack on many ranks. The variant `nowait` prunes by the optimum, which is known, so that all runtimes visit the
// same nodes. The variant `shared` finds the optimum: its bound is the best value that any task has found, of which the
// ranks tell each other lazily (teff/mpi/shared_best.hpp). How many nodes it visits depends on timing.
#include <bench/mpi/program.hpp>

#include <bench/knapsack/knapsack.hpp>

#include <cstdint>

namespace bench::mpi {
namespace {

// As knapsack::shared_bound, for several ranks.
class bound_of_ranks {
public:
    bool allows(std::int64_t value, std::int64_t room, knapsack::item densest) const {
        return value * densest.weight + room * densest.value > best_.get() * densest.weight;
    }
    void found(std::int64_t value) { best_.improve(value); }

    teff::mpi::shared_value* shared() { return &best_; }

private:
    teff::mpi::shared_best<std::int64_t> best_{0};
};

template <class Bound>
outcome measured(const run_settings& asked, const knapsack::problem& input, Bound& bound) {
    knapsack::result found;
    const double seconds = time_seconds(
        [&] { found = reduced(asked, knapsack::body<Bound>{input, bound}, knapsack::first_task(input)); });
    return knapsack::checked(asked.run, input, seconds, found);
}

outcome run(const run_settings& asked) {
    const knapsack::problem input = knapsack::problem_of(asked.run);
    if (asked.run.variant != "shared") {
        const knapsack::fixed_bound bound(input.optimum);
        return measured(asked, input, bound);
    }
    bound_of_ranks bound;
    run_settings sharing = asked;
    sharing.options.best = bound.shared();
    return measured(sharing, input, bound);
}

}  // namespace

const program knapsack_program = {
    teff_runtime, knapsack_description, {{"nowait", true}, {"shared", false}}, run};

}  // namespace bench::mpi
