// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The length of tasks from which threads pay (Vandierendonck et al., section 5.3, Fig. 10): tasks of a given length,
// all of which read the same object. The overhead of a task is the time of all threads minus the length.
//
// A size is the length in nanoseconds and the number of tasks, such as 1000x100000.
#pragma once

#include <bench/dataflow/dataflow.hpp>
#include <bench/harness/delay.hpp>
#include <bench/micro/micro.hpp>

namespace bench::task_length {

struct work {
    std::uint64_t nanoseconds;
    std::uint64_t tasks;
};
work work_of(const parameters& p);
outcome checked(const parameters& p, const work_done& done, double seconds);

template <class Face> outcome measured(const parameters& p) {
    const work of = work_of(p);
    const std::uint64_t iterations = delay_iterations(p.pace, of.nanoseconds);
    tasks_per_worker counts;
    typename Face::template data<std::uint64_t> object;
    object.value() = 1;
    double seconds = 0;
    Face::run(p, [&] {
        seconds = time_seconds([&] {
            for (std::uint64_t number = 0; number < of.tasks; ++number)
                Face::spawn(
                    [&counts, iterations](const std::uint64_t& value) {
                        delay(iterations);
                        counts.own() += {1, value};
                    },
                    Face::in(object));
            Face::sync();
        });
    });
    return checked(p, counts.total(), seconds);
}

}  // namespace bench::task_length
