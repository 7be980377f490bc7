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
    return floorplan::run_variants<openmp_forks>(p, [&p]<class Bound>(const floorplan::problem& input, Bound& bound) {
        return waiting_search<Bound>{input, bound, p.cutoff};
    });
}

}  // namespace bench
