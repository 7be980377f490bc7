// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// floorplan with oneTBB's task_group: without waiting inside tasks, with partial results per thread; and with a group
// in each task, which waits for the tasks that it created.
#include <bench/floorplan/floorplan.hpp>

#include <bench/harness/tbb.hpp>

namespace bench {
namespace {

template <class Bound> struct waiting_search {
    const floorplan::problem& input;
    Bound& bound;

    floorplan::result run(const floorplan::task& attempt) const {
        return floorplan::step_with(input, bound, attempt, [this](floorplan::task& node) {
            floorplan::frame_total children;
            tbb::task_group group;
            floorplan::for_each_attempt(input, node, node.next + 1, [&](const floorplan::task& child) {
                group.run([this, child, &children] { children.add(run(child)); });
            });
            group.wait();
            floorplan::result sum = children.total();
            ++sum.tasks;
            return sum;
        });
    }
};

}  // namespace

outcome run_floorplan(const parameters& p) {
    return floorplan::run_variants<tbb_forks>(p, []<class Bound>(const floorplan::problem& input, Bound& bound) {
        return waiting_search<Bound>{input, bound};
    });
}

}  // namespace bench
