// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task graphs over tiles, by dataflow: one thread spawns all tasks, each of which takes a microsecond.
#include <simulator/workloads/all.hpp>

#include <teff/dataflow.hpp>
#include <teff/fork_join.hpp>

#include <cstddef>
#include <vector>

namespace simulator {
namespace {

constexpr double task_ns = 1000;

using tile = teff::object<long>;

class spawner {
public:
    // The functions count what has run on their tile, which checks that nothing was lost.
    void change(tile& what) {
        teff::spawn([](long& value) { work_ns(task_ns); ++value; }, teff::inout(what));
        ++tasks;
    }
    void change(tile& what, tile& by) {
        teff::spawn([](const long&, long& value) { work_ns(task_ns); ++value; }, teff::in(by), teff::inout(what));
        ++tasks;
    }
    void change(tile& what, tile& by, tile& and_by) {
        teff::spawn([](const long&, const long&, long& value) { work_ns(task_ns); ++value; }, teff::in(by),
                    teff::in(and_by), teff::inout(what));
        ++tasks;
    }
    std::uint64_t tasks = 0;
};

template <class Spawn>
std::uint64_t run_graph(const request& wanted, std::vector<tile>& tiles, Spawn&& spawn_all) {
    spawner graph;
    teff::execute({.threads = wanted.threads, .scheduler = wanted.scheduler, .tracker = wanted.tracker}, [&] {
        spawn_all(graph);
        teff::sync();
    });
    std::uint64_t ran = 0;
    for (tile& each : tiles)
        ran += static_cast<std::uint64_t>(each.value());
    return ran == graph.tasks ? ran : 0;
}

}  // namespace

// The factorization of a positive definite matrix (POTRF), on and below its diagonal.
std::uint64_t run_potrf(const request& wanted) {
    const auto count = static_cast<std::size_t>(wanted.size);
    std::vector<tile> tiles(count * count);
    const auto at = [&](std::size_t row, std::size_t column) -> tile& { return tiles[row * count + column]; };
    return run_graph(wanted, tiles, [&](spawner& graph) {
        for (std::size_t step = 0; step < count; ++step) {
            graph.change(at(step, step));
            for (std::size_t row = step + 1; row < count; ++row)
                graph.change(at(row, step), at(step, step));
            for (std::size_t row = step + 1; row < count; ++row) {
                for (std::size_t column = step + 1; column < row; ++column)
                    graph.change(at(row, column), at(row, step), at(column, step));
                graph.change(at(row, row), at(row, step));
            }
        }
    });
}

// The product of a matrix and its transpose (SYRK): chains of tasks, one for each tile of the result.
std::uint64_t run_syrk(const request& wanted) {
    const auto count = static_cast<std::size_t>(wanted.size);
    std::vector<tile> factor(count * count), result(count * count);
    return run_graph(wanted, result, [&](spawner& graph) {
        for (std::size_t row = 0; row < count; ++row) {
            for (std::size_t column = 0; column <= row; ++column) {
                for (std::size_t step = 0; step < count; ++step) {
                    tile& to = result[row * count + column];
                    if (row == column)
                        graph.change(to, factor[row * count + step]);
                    else
                        graph.change(to, factor[row * count + step], factor[column * count + step]);
                }
            }
        }
    });
}

// The product of two matrices of tiles.
std::uint64_t run_block_product(const request& wanted) {
    const auto count = static_cast<std::size_t>(wanted.size);
    std::vector<tile> left(count * count), right(count * count), result(count * count);
    return run_graph(wanted, result, [&](spawner& graph) {
        for (std::size_t row = 0; row < count; ++row)
            for (std::size_t column = 0; column < count; ++column)
                for (std::size_t step = 0; step < count; ++step)
                    graph.change(result[row * count + column], left[row * count + step], right[step * count + column]);
    });
}

}  // namespace simulator
