// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of a waiting task by its number of accesses (Vandierendonck et al., section 5.4, Fig. 11): each task reads
// 1 to 20 objects. An earlier task writes all of these; it is held until all others are spawned.
//
// A size is the number of accesses and of tasks, such as 8x1000. All tasks read the same objects.
#pragma once

#include <bench/dataflow/dataflow.hpp>
#include <bench/dataflow/gate.hpp>
#include <bench/micro/micro.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <utility>

namespace bench::arguments {

inline constexpr std::size_t most_accesses = 20;

struct work {
    std::uint64_t accesses;
    std::uint64_t tasks;
    std::uint64_t programs;              // so that a run is long enough
};
work work_of(const parameters& p);

struct found {
    std::uint64_t tasks = 0;
    std::uint64_t sum = 0;               // of the values that tasks have read
    double seconds = 0;
};
outcome checked(const work& of, const found& result);

// Calls f(std::index_sequence) with that many indices.
template <std::size_t Count = 1, class F> void with_count(std::uint64_t count, const F& f) {
    if constexpr (Count <= most_accesses) {
        if (count == Count)
            f(std::make_index_sequence<Count>());
        else
            with_count<Count + 1>(count, f);
    }
}

template <class Face, std::size_t... Index>
found once(const work& of, std::index_sequence<Index...>) {
    return dataflow::with_gate([&](dataflow::gate& first) {
        tasks_per_worker counts;
        std::array<typename Face::template data<std::uint64_t>, sizeof...(Index)> objects;
        const auto start = std::chrono::steady_clock::now();
        Face::spawn(
            [&first](auto&... values) {
                first.pass();
                ((values = 1), ...);
            },
            Face::inout(objects[Index])...);
        for (std::uint64_t number = 0; number < of.tasks; ++number)
            Face::spawn([&counts](const auto&... values) { counts.own() += {1, (values + ...)}; },
                        Face::in(objects[Index])...);
        first.open();
        Face::sync();
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        const work_done done = counts.total();
        return found{done.tasks, done.sum, time.count()};
    });
}

template <class Face> outcome measured(const parameters& p) {
    const work of = work_of(p);
    found sum;
    Face::run(p, [&] {
        with_count(of.accesses, [&](auto indices) {
            for (std::uint64_t program = 0; program < of.programs; ++program) {
                const found next = once<Face>(of, indices);
                sum.tasks += next.tasks;
                sum.sum += next.sum;
                sum.seconds += next.seconds;
            }
        });
    });
    return checked(of, sum);
}

}  // namespace bench::arguments
