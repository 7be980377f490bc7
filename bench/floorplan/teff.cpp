// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// floorplan with this library: as a reduction over tasks, and by fork and join.
#include <bench/floorplan/floorplan.hpp>

#include <bench/harness/teff.hpp>

namespace bench {
namespace {

// A fork has two branches, so the attempts of a task are the leaves of a binary tree of forks: first over the shapes
// of the next cell, then over the places of a shape. All of them read the placements in the frame of their parent,
// which waits for them; each attempt has a task of its own, as in the other runtimes.
template <class Bound> struct waiting_search {
    const floorplan::problem& input;
    Bound& bound;

    floorplan::result run(const floorplan::task& attempt) const {
        return floorplan::step_with(input, bound, attempt, [this](floorplan::task& node) {
            ++node.next;
            floorplan::result sum = shapes(node, 0, input.cells[static_cast<unsigned>(node.next)].shapes.size());
            ++sum.tasks;
            return sum;
        });
    }

private:
    // The shapes from `first` up to, but not including, `last`; there is at least one.
    floorplan::result shapes(const floorplan::task& node, std::size_t first, std::size_t last) const {
        if (last - first > 1) {
            const std::size_t middle = first + (last - first) / 2;
            auto [sum, right] = teff::fork_join([this, &node, first, middle] { return shapes(node, first, middle); },
                                                [this, &node, middle, last] { return shapes(node, middle, last); });
            sum += right;
            return sum;
        }
        const floorplan::cell& placing = input.cells[static_cast<unsigned>(node.next)];
        const floorplan::shape form = placing.shapes[first];
        const floorplan::corners range = floorplan::corners_for(node, placing, form);
        const bool is_empty = range.top > range.last_top || range.left > range.last_left;
        return is_empty ? floorplan::result{} : places(node, form, range);
    }

    // Halves the rows, then the columns; a range has only one of either.
    floorplan::result places(const floorplan::task& node, floorplan::shape form, floorplan::corners range) const {
        if (range.top == range.last_top && range.left == range.last_left) {
            floorplan::task child = node;
            child.attempt = floorplan::rectangle_at(range.top, range.left, form);
            return run(child);
        }
        floorplan::corners before = range;
        floorplan::corners behind = range;
        if (range.top != range.last_top) {
            before.last_top = range.top + (range.last_top - range.top) / 2;
            behind.top = before.last_top + 1;
        } else {
            before.last_left = range.left + (range.last_left - range.left) / 2;
            behind.left = before.last_left + 1;
        }
        auto [sum, right] = teff::fork_join([this, &node, form, before] { return places(node, form, before); },
                                            [this, &node, form, behind] { return places(node, form, behind); });
        sum += right;
        return sum;
    }
};

}  // namespace

outcome run_floorplan(const parameters& p) {
    const floorplan::problem input = floorplan::problem_of(p);
    const floorplan::task first = floorplan::first_task();
    return floorplan::with_bound(p, input, [&]<class Bound>(Bound& bound) {
        floorplan::result found;
        const waiting_search<Bound> whole{input, bound};
        const double seconds = time_seconds([&] {
            found = p.variant == "wait"
                        ? teff::execute(options_of(p), [&] { return whole.run(first); })
                        : teff::reduce_tasks(options_of(p), floorplan::body<Bound>{input, bound}, first);
        });
        return floorplan::checked(p, input, seconds, found);
    });
}

}  // namespace bench
