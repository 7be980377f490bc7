// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nqueens with OpenMP tasks: without waiting, with partial results per thread; and as in the Barcelona suite, where
// each task waits for those that it created.
#include <bench/harness/openmp.hpp>
#include <bench/nqueens/nqueens.hpp>

namespace bench {
namespace {

using partial_sums = padded_partials<std::uint64_t>;

void task(const nqueens::board& queens, unsigned size, partial_sums& sums);

// A function, not a lambda: a task inside a lambda would refer to the lambda's captures, which no longer exist when
// the task runs.
void give_away(const nqueens::board& queens, unsigned size, partial_sums& sums) {
    const nqueens::board next = queens;
#pragma omp task default(none) firstprivate(next, size) shared(sums)
    task(next, size, sums);
}

void task(const nqueens::board& queens, unsigned size, partial_sums& sums) {
    own_partial(sums) +=
        nqueens::search(queens, size, [size, &sums](const nqueens::board& next) { give_away(next, size, sums); });
}

std::uint64_t waiting_task(const nqueens::board& queens, unsigned size) {
    if (queens.rows() == size) return 1;
    std::uint64_t solutions[nqueens::largest_size] = {};
    for (std::uint32_t safe = queens.safe_columns(size); safe != 0; safe = nqueens::without_first(safe)) {
        const unsigned column = nqueens::first_column(safe);
        const nqueens::board next = queens.with(column);
#pragma omp task default(none) firstprivate(next, size, column) shared(solutions)
        solutions[column] = waiting_task(next, size);
    }
#pragma omp taskwait
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
            [&] { run_in_region(p.threads, [&] { solutions = waiting_task(nqueens::board{}, size); }); });
        return nqueens::checked(p, seconds, solutions);
    }
    partial_sums sums(p.threads);
    const double seconds =
        time_seconds([&] { run_in_region(p.threads, [&] { task(nqueens::board{}, size, sums); }); });
    return nqueens::checked(p, seconds, sums.total());
}

}  // namespace bench
