// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of tasks that wait (Vandierendonck et al., section 5.2, Figs. 7 to 9): tasks that use one object are spawned
// while an earlier task that writes it is held. Then that one ends, and all of them run.
//
// A size is the number of generations and of tasks in each, such as 3x1000. Two generations: the task that is held,
// then tasks of the variant's usage. Three: reading tasks between both. (With `in` these are one generation.) In the
// paper a single thread does all, and the first task is only feigned. Here another thread holds it, which then also
// takes part in running the others; so the time to spawn is told apart (spawn_ns).
#pragma once

#include <bench/dataflow/gate.hpp>
#include <bench/dataflow/usage.hpp>
#include <bench/micro/micro.hpp>

#include <chrono>

namespace bench::generations {

struct shape {
    std::uint64_t generations;           // 2 or 3
    std::uint64_t tasks;                 // of the variant's usage; in three generations, as many read before

    std::uint64_t all_tasks() const { return tasks * (generations - 1); }
};
shape shape_of(const parameters& p);
std::vector<variant_description> variants(runtime_family family);
// An upper estimate for one run of that shape.
std::uint64_t memory_bytes(const parameters& p, runtime_family family, const shape& of);

struct found {
    std::uint64_t tasks = 0;             // that ran, without the one that was held
    double spawn_seconds = 0;
    double seconds = 0;                  // from the first spawn of a counted task until all have ended

    found& operator+=(const found& other) {
        tasks += other.tasks;
        spawn_seconds += other.spawn_seconds;
        seconds += other.seconds;
        return *this;
    }
};

// One program, inside of Face::run(). Tasks count themselves.
template <class Face, dataflow::usage Usage> found once(const shape& of, tasks_per_worker& counts) {
    return dataflow::with_gate([&](dataflow::gate& first) {
        using value = typename dataflow::value_of_usage<Usage>::type;
        using clock = std::chrono::steady_clock;
        const auto since = [](clock::time_point start) {
            return std::chrono::duration<double>(clock::now() - start).count();
        };
        tasks_per_worker& tasks = counts;
        const work_done before = tasks.total();
        typename Face::template data<value> object;
        std::uint64_t is_open = 0;       // written by the first task, and ordered by its access
        found result;
        // A task that has not waited counts as one that did not run. One that overwrites the value need not wait.
        Face::spawn(
            [&first, &is_open](value&) {
                first.pass();
                is_open = 1;
            },
            Face::inout(object));
        const auto start = clock::now();
        for (std::uint64_t number = 0; of.generations == 3 && number < of.tasks; ++number)
            Face::spawn([&tasks, &is_open](const value&) { tasks.own() += {is_open, 0}; }, Face::in(object));
        for (std::uint64_t number = 0; number < of.tasks; ++number)
            Face::spawn(
                [&tasks, &is_open](auto&) {
                    tasks.own() += {Usage == dataflow::usage::out ? 1 : is_open, 0};
                },
                dataflow::access_as<Face, Usage>(object));
        result.spawn_seconds = since(start);
        first.open();
        Face::sync();
        result.seconds = since(start);
        result.tasks = tasks.total().tasks - before.tasks;
        return result;
    });
}

// Verified when every task ran once.
outcome checked(const shape& of, const found& result, std::uint64_t programs);

template <class Face> outcome measured(const parameters& p) {
    return dataflow::with_usage<Face>(p.variant, [&]<dataflow::usage Usage>(dataflow::usage_is<Usage>) {
        constexpr std::uint64_t least_tasks = 20'000;
        const shape of = shape_of(p);
        const std::uint64_t programs = 1 + least_tasks / of.all_tasks();
        tasks_per_worker counts;
        found sum;
        if constexpr (Usage != dataflow::usage::none) {
            Face::run(p, [&] {
                for (std::uint64_t each = 0; each < programs; ++each) sum += once<Face, Usage>(of, counts);
            });
        }
        return checked(of, sum, programs);
    });
}

}  // namespace bench::generations
