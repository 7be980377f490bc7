// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rows of instructions.txt run on this library: one thread, default scheduler, tasks that do next to nothing.
// The functions are as a user writes them, and as the benchmarks have them.
#include <tests/instructions/program.hpp>

#include <teff/base/clock.hpp>
#include <teff/dataflow.hpp>
#include <teff/fork_join.hpp>
#include <teff/parallel_for.hpp>
#include <teff/reduce.hpp>
#include <teff/task_group.hpp>

#include <cstdint>
#include <tuple>
#include <vector>

namespace {

using instructions::fibonacci;
using instructions::number;

const teff::options one_thread{.threads = 1};

// What a loop measures its iterations by. With the processor's counter, the chunks of a loop and so its instructions
// would differ from run to run.
std::int64_t simulated_cycles = 0;

// A task is an argument; it ends in one leaf, so there are as many tasks as leaves.
number reduction(number size) {
    const auto body = [](auto& pool, number of) {
        while (of >= 2) {
            pool.enq(of - 2);
            --of;
        }
        return of;
    };
    return teff::reduce_tasks(one_thread, body, size) == fibonacci(size) ? fibonacci(size + 1) : 0;
}

number forked_fibonacci(number of) {
    if (of < 2) return of;
    const auto [left, right] =
        teff::fork_join([of] { return forked_fibonacci(of - 1); }, [of] { return forked_fibonacci(of - 2); });
    return left + right;
}

number fork(number size) {
    const number result = teff::execute(one_thread, [size] { return forked_fibonacci(size); });
    return result == fibonacci(size) ? fibonacci(size + 1) - 1 : 0;
}

number forked_leaves(number first, number leaves) {
    if (leaves == 1) return first;
    const number each = leaves / 10;
    const auto child = [first, each](number index) {
        return [first, each, index] { return forked_leaves(first + index * each, each); };
    };
    const auto sums = teff::fork_join(child(0), child(1), child(2), child(3), child(4), child(5), child(6), child(7),
                                      child(8), child(9));
    return std::apply([](auto... sum) { return (sum + ...); }, sums);
}

// Forks of ten functions each, in a tree with ten to the power of `size` leaves; a task is a leaf.
number wide_fork(number size) {
    number leaves = 1;
    while (size-- > 0) leaves *= 10;
    const number sum = teff::execute(one_thread, [leaves] { return forked_leaves(0, leaves); });
    return sum == leaves * (leaves - 1) / 2 ? leaves : 0;
}

// Loops, one after the other, whose iterations take so many simulated cycles. No compiler merges an iteration with its
// neighbours, since the divisor is unknown.
bool run_loops(number count, number iterations, std::int64_t cycles) {
    static const volatile number prime = 2'147'483'647;
    std::vector<number> sums(iterations);
    teff::execute(one_thread, [&] {
        for (number loop = 0; loop < count; ++loop)
            teff::parallel_for(number{0}, iterations, [out = sums.data(), divisor = prime, cycles](number index) {
                out[index] += index * index % divisor;
                simulated_cycles += cycles;
            });
    });
    for (number index = 0; index < iterations; ++index)
        if (sums[index] != index * index % prime * count) return false;
    return true;
}

// Some hundred iterations between two checks for idle workers.
number iteration(number size) { return run_loops(size, 10'000, 8) ? 10'000 * size : 0; }

// A check after each.
number large_iteration(number size) { return run_loops(size, 10'000, 5000) ? 10'000 * size : 0; }

// A loop of ten iterations: its start and its end, too.
number loop(number size) { return run_loops(size, 10, 8) ? size : 0; }

number group_task(number size) {
    number sum = 0;
    teff::execute(one_thread, [&] {
        for (number batch = 0; batch < size; ++batch) {
            teff::task_group group;
            for (number task = 0; task < 100; ++task) group.run([&sum, task] { sum += task; });
            group.wait();
        }
    });
    return sum == size * 4950 ? size * 100 : 0;
}

number dataflow_task(number size) {
    teff::object<number> from(number{1}), to(number{0});
    teff::execute(one_thread, [&] {
        for (number task = 0; task < size; ++task)
            teff::spawn([](const number& read, number& written) { written += read; }, teff::in(from), teff::inout(to));
        teff::sync();
    });
    return to.value() == size ? size : 0;
}

constexpr instructions::row rows[] = {
    {"reduction", reduction}, {"fork", fork},
    {"wide_fork", wide_fork}, {"iteration", iteration},
    {"large_iteration", large_iteration}, {"loop", loop},
    {"group_task", group_task}, {"dataflow_task", dataflow_task},
};

}  // namespace

// In place of the library's function (base/clock.hpp).
std::int64_t teff::cycle_count() noexcept { return simulated_cycles; }

int main(int count, char** arguments) { return instructions::main(count, arguments, rows); }
