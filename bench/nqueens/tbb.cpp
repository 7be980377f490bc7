// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nqueens with oneTBB's task_group: without waiting inside tasks, with partial results per thread; and with a group
// in each task, which waits for the tasks that it created.
#include <bench/harness/tbb.hpp>
#include <bench/nqueens/nqueens.hpp>

namespace bench {
namespace {

using partial_sums = padded_partials<std::uint64_t>;

void task(const nqueens::board& queens, unsigned size, tbb::task_group& group, partial_sums& sums) {
    own_partial(sums) += nqueens::search(queens, size, [size, &group, &sums](const nqueens::board& next) {
        group.run([next, size, &group, &sums] { task(next, size, group, sums); });
    });
}

std::uint64_t waiting_task(const nqueens::board& queens, unsigned size) {
    if (queens.rows() == size) return 1;
    std::uint64_t solutions[nqueens::largest_size] = {};
    tbb::task_group group;
    for (std::uint32_t safe = queens.safe_columns(size); safe != 0; safe = nqueens::without_first(safe)) {
        const unsigned column = nqueens::first_column(safe);
        group.run([next = queens.with(column), size, &found = solutions[column]] { found = waiting_task(next, size); });
    }
    group.wait();
    std::uint64_t sum = 0;
    for (const std::uint64_t each : solutions) sum += each;
    return sum;
}

}  // namespace

outcome run_nqueens(const parameters& p) {
    const unsigned size = nqueens::size(p);
    if (p.variant == "wait") {
        std::uint64_t solutions = 0;
        const double seconds = time_seconds(
            [&] { run_in_arena(p.threads, [&] { solutions = waiting_task(nqueens::board{}, size); }); });
        return nqueens::checked(p, seconds, solutions);
    }
    partial_sums sums(p.threads);
    const double seconds = time_seconds([&] {
        run_in_group(p.threads, [&](tbb::task_group& group) { task(nqueens::board{}, size, group, sums); });
    });
    return nqueens::checked(p, seconds, sums.total());
}

}  // namespace bench
