// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the time of waiting tasks grows with their number: the programs of `generations`, with numbers of tasks from a
// least to a greatest one, each 10^(1/4) times the one before. The measure is the exponent of a power of the number of
// tasks that fits the times best (least squares of the logarithms). Vandierendonck et al., section 4, give the costs of
// the trackers: an exponent of 1 is linear, 2 quadratic.
//
// A size is the number of generations and the least and greatest number of tasks, such as 3x1000x10000.
#pragma once

#include <bench/generations/generations.hpp>

namespace bench::growth {

struct series {
    std::uint64_t generations;
    std::vector<std::uint64_t> tasks;    // ascending, at least two
};
series series_of(const parameters& p);

struct point {
    double tasks;
    double seconds;
};
// The slope of the line through the logarithms. `points` has at least two different numbers of tasks.
double exponent(const std::vector<point>& points);

outcome checked(const series& of, const std::vector<generations::found>& results);

template <class Face> outcome measured(const parameters& p) {
    return dataflow::with_usage<Face>(p.variant, [&]<dataflow::usage Usage>(dataflow::usage_is<Usage>) {
        constexpr int trials = 3;
        const series all = series_of(p);
        tasks_per_worker counts;
        std::vector<generations::found> results;
        if constexpr (Usage != dataflow::usage::none) {
            Face::run(p, [&] {
                for (const std::uint64_t tasks : all.tasks) {
                    const generations::shape of{all.generations, tasks};
                    generations::found best = generations::once<Face, Usage>(of, counts);
                    for (int trial = 1; trial < trials; ++trial) {
                        const generations::found next = generations::once<Face, Usage>(of, counts);
                        // One that has lost a task stays, so that it is noticed.
                        if (best.tasks == of.all_tasks() && (next.tasks != best.tasks || next.seconds < best.seconds))
                            best = next;
                    }
                    results.push_back(best);
                }
            });
        }
        return checked(all, results);
    });
}

}  // namespace bench::growth
