// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of a task with one access (Vandierendonck et al., section 5.1, Fig. 6): one thread spawns tasks that access
// the same object, one variant per kind of access. A task counts itself.
//
// A size is the number of tasks. The run first spawns as many tasks without an access: their cost is the baseline, and
// the rest is what tracking adds (overhead_ns). On one thread each task is ready when it is spawned, as in the paper,
// except in a flow graph, which is made before it runs. On several threads others may take tasks, for which later ones
// wait.
#pragma once

#include <bench/dataflow/usage.hpp>
#include <bench/micro/micro.hpp>

#include <chrono>

namespace bench::spawn_delay {

std::uint64_t tasks(const parameters& p);

// What tasks left behind, and the times of both parts.
struct found {
    double baseline_seconds = 0;
    double seconds = 0;
    work_done baseline;
    work_done done;
    std::uint64_t last_value = 0;        // of the object
};
outcome checked(const parameters& p, const found& result);

// A task's work: counts itself, and uses the value as its kind of access allows.
template <dataflow::usage Usage, class Value>
void use(tasks_per_worker& count, std::uint64_t number, Value& value) {
    count.own() += {1, number};
    if constexpr (Usage == dataflow::usage::out)
        value = number;
    else if constexpr (Usage == dataflow::usage::large_reduction)
        ++value.counts[number % value.counts.size()];
    else if constexpr (Usage != dataflow::usage::in)
        ++value;
}

template <class Face> outcome measured(const parameters& p) {
    return dataflow::with_usage<Face>(p.variant, [&]<dataflow::usage Usage>(dataflow::usage_is<Usage>) {
        using value = typename dataflow::value_of_usage<Usage>::type;
        const std::uint64_t count = tasks(p);
        found result;
        tasks_per_worker without;
        tasks_per_worker with;
        typename Face::template data<value> object;
        Face::run(p, [&] {
            const auto spawn_plain = [&](tasks_per_worker& counts) {
                for (std::uint64_t number = 0; number < count; ++number)
                    Face::spawn([&counts, number] { counts.own() += {1, number}; });
                Face::sync();
            };
            // No timed region: the counters are to show the second part alone.
            const auto start = std::chrono::steady_clock::now();
            spawn_plain(without);
            result.baseline_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            result.seconds = time_seconds([&] {
                if constexpr (Usage == dataflow::usage::none) {
                    spawn_plain(with);
                } else {
                    for (std::uint64_t number = 0; number < count; ++number)
                        Face::spawn([&with, number](auto& used) { use<Usage>(with, number, used); },
                                    dataflow::access_as<Face, Usage>(object));
                    Face::sync();
                }
            });
        });
        result.baseline = without.total();
        result.done = with.total();
        if constexpr (Usage == dataflow::usage::large_reduction) {
            for (const std::uint64_t each : object.value().counts) result.last_value += each;
        } else {
            result.last_value = object.value();
        }
        return checked(p, result);
    });
}

}  // namespace bench::spawn_delay
