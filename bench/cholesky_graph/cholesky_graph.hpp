// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task graph of a Cholesky factorization of BxB blocks (Vandierendonck et al., section 5.5.2, Fig. 14): the tasks
// of kernel `cholesky`, which spin for a given time instead of computing. A task puts what it has read into the value
// that it writes, so a wrong order shows.
//
// A size is B and the length of a task in nanoseconds, such as 32x1000.
#pragma once

#include <bench/dataflow/dataflow.hpp>
#include <bench/harness/delay.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace bench::cholesky_graph {

struct work {
    std::size_t blocks;                  // of a row
    std::uint64_t nanoseconds;

    std::uint64_t tasks() const { return blocks * (blocks + 1) * (blocks + 2) / 6; }
};
work work_of(const parameters& p);

inline std::uint64_t mixed(std::uint64_t value, std::uint64_t read) { return value * 3 + read; }

// Calls, for each task in program order, factor(a), solve(a, b) or update(a, b, c) with the places of its blocks in the
// lower triangle: those that it reads, then the one that it writes.
template <class Factor, class Solve, class Update>
void each_task(std::size_t blocks, const Factor& factor, const Solve& solve, const Update& update) {
    const auto place = [](std::size_t row, std::size_t column) { return row * (row + 1) / 2 + column; };
    for (std::size_t step = 0; step < blocks; ++step) {
        factor(place(step, step));
        for (std::size_t row = step + 1; row < blocks; ++row) solve(place(step, step), place(row, step));
        for (std::size_t row = step + 1; row < blocks; ++row) {
            solve(place(row, step), place(row, row));
            for (std::size_t column = step + 1; column < row; ++column)
                update(place(row, step), place(column, step), place(row, column));
        }
    }
}

outcome checked(const work& of, double seconds, const std::vector<std::uint64_t>& values, unsigned threads);

template <class Face> outcome measured(const parameters& p) {
    const work of = work_of(p);
    const std::uint64_t iterations = delay_iterations(p.pace, of.nanoseconds);
    const std::size_t places = of.blocks * (of.blocks + 1) / 2;
    const auto block = std::make_unique<typename Face::template data<std::uint64_t>[]>(places);
    for (std::size_t each = 0; each < places; ++each) block[each].value() = each;
    double seconds = 0;
    Face::run(p, [&] {
        seconds = time_seconds([&] {
            each_task(
                of.blocks,
                [&](std::size_t a) {
                    Face::spawn(
                        [iterations](std::uint64_t& to) {
                            delay(iterations);
                            to = mixed(to, 1);
                        },
                        Face::inout(block[a]));
                },
                [&](std::size_t a, std::size_t b) {
                    Face::spawn(
                        [iterations](const std::uint64_t& from, std::uint64_t& to) {
                            delay(iterations);
                            to = mixed(to, from);
                        },
                        Face::in(block[a]), Face::inout(block[b]));
                },
                [&](std::size_t a, std::size_t b, std::size_t c) {
                    Face::spawn(
                        [iterations](const std::uint64_t& from, const std::uint64_t& other, std::uint64_t& to) {
                            delay(iterations);
                            to = mixed(mixed(to, from), other);
                        },
                        Face::in(block[a]), Face::in(block[b]), Face::inout(block[c]));
                });
            Face::sync();
        });
    });
    std::vector<std::uint64_t> values;
    for (std::size_t each = 0; each < places; ++each) values.push_back(block[each].value());
    return checked(of, seconds, values, p.threads);
}

}  // namespace bench::cholesky_graph
