// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// floorplan with oneTBB's task_group: without waiting inside tasks, with partial results per thread; and with a group
// in each task, which waits for the tasks that it created.
#include <bench/floorplan/floorplan.hpp>

#include <bench/harness/tbb.hpp>

namespace bench {
namespace {

template <class Bound> struct search {
    const floorplan::problem& input;
    Bound& bound;
    padded_partials<floorplan::result>& partials;

    void run(tbb::task_group& group, const floorplan::task& attempt) const {
        own_partial(partials) += floorplan::step(input, bound, attempt, [this, &group](const floorplan::task& child) {
            group.run([this, &group, child] { run(group, child); });
        });
    }
};

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

outcome run_floorplan(const parameters& p);

outcome run_floorplan(const parameters& p) {
    const floorplan::problem input = floorplan::problem_of(p);
    const floorplan::task first = floorplan::first_task();
    return floorplan::with_bound(p, input, [&]<class Bound>(Bound& bound) {
        if (p.variant == "wait") {
            const waiting_search<Bound> whole{input, bound};
            floorplan::result found;
            const double seconds = time_seconds([&] { run_in_arena(p.threads, [&] { found = whole.run(first); }); });
            return floorplan::checked(p, input, seconds, found);
        }
        padded_partials<floorplan::result> partials(p.threads);
        const search<Bound> whole{input, bound, partials};
        const double seconds = time_seconds(
            [&] { run_in_group(p.threads, [&](tbb::task_group& group) { whole.run(group, first); }); });
        return floorplan::checked(p, input, seconds, partials.total());
    });
}

}  // namespace bench
