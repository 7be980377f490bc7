// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// floorplan with OpenMP tasks: without waiting, with partial results per thread; and as in the Barcelona suite, where
// each task waits for those that it created, which add up their results in its frame.
#include <bench/floorplan/floorplan.hpp>

#include <bench/harness/openmp.hpp>

namespace bench {
namespace {

template <class Bound> struct waiting_search {
    const floorplan::problem& input;
    Bound& bound;
    long cutoff;                         // an attempt with fewer cells to follow is made without tasks

    void create(const floorplan::task& attempt, floorplan::frame_total* parent) const {
        if (input.last() - attempt.next < cutoff) {
            parent->add(run_directly(attempt));
            return;
        }
        const waiting_search* self = this;
#pragma omp task default(none) firstprivate(self, attempt, parent)
        parent->add(self->run(attempt));
    }

    floorplan::result run_directly(const floorplan::task& attempt) const {
        floorplan::result below;
        below += floorplan::step(input, bound, attempt,
                                 [this, &below](const floorplan::task& child) { below += run_directly(child); });
        return below;
    }

    floorplan::result run(const floorplan::task& attempt) const {
        floorplan::frame_total children;
        floorplan::result found = floorplan::step(
            input, bound, attempt, [this, &children](const floorplan::task& child) { create(child, &children); });
#pragma omp taskwait
        found += children.total();
        return found;
    }
};

}  // namespace

outcome run_floorplan(const parameters& p) {
    const floorplan::problem input = floorplan::problem_of(p);
    const floorplan::task first = floorplan::first_task();
    return floorplan::with_bound(p, input, [&]<class Bound>(Bound& bound) {
        if (p.variant == "wait") {
            const waiting_search<Bound> whole{input, bound, p.cutoff};
            const auto [seconds, found] = timed_call<openmp_forks>(p, [&] { return whole.run(first); });
            return floorplan::checked(p, input, seconds, found);
        }
        const auto [seconds, found] = summed_over_tasks<floorplan::result>(
            p, first, [&](const floorplan::task& node, const auto& create) {
                return floorplan::step(input, bound, node, create);
            });
        return floorplan::checked(p, input, seconds, found);
    });
}

}  // namespace bench
