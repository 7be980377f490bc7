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
    const floorplan::problem input = floorplan::problem_of(p);
    const floorplan::task first = floorplan::first_task();
    return floorplan::with_bound(p, input, [&]<class Bound>(Bound& bound) {
        if (p.variant == "wait") {
            const waiting_search<Bound> whole{input, bound};
            const auto [seconds, found] = timed_call<tbb_forks>(p, [&] { return whole.run(first); });
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
