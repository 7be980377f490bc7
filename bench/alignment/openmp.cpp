// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// alignment with OpenMP: tasks without waiting, with partial results per thread; and as in the Barcelona suite, a
// worksharing loop over the rows that creates a task per pair. Those tasks store their results, which are summed up
// at the end.
#include <bench/alignment/alignment.hpp>

#include <bench/harness/openmp.hpp>

namespace bench {
namespace {

alignment::result loop_over_rows(const alignment::problem& input, unsigned threads) {
    const std::int32_t rows = input.rows();
    const auto sequences = static_cast<std::size_t>(rows) + 1;
    std::vector<alignment::result> scores(sequences * sequences);
    alignment::result* const table = scores.data();
#pragma omp parallel for num_threads(static_cast<int>(threads)) schedule(dynamic) default(none) \
    shared(input) firstprivate(rows, sequences, table)
    for (std::int32_t first = 0; first < rows; ++first) {
        for (std::int32_t second = first + 1; second <= rows; ++second) {
            const alignment::problem* const pairs = &input;
            alignment::result* const score =
                table + static_cast<std::size_t>(first) * sequences + static_cast<std::size_t>(second);
#pragma omp task default(none) firstprivate(first, second, pairs, score)
            *score = alignment::score_pair(*pairs, first, second);
        }
    }
    alignment::result sum;
    for (const alignment::result& each : scores) sum += each;
    return sum;
}

}  // namespace

outcome run_alignment(const parameters& p) {
    const alignment::problem input = alignment::problem_of(p);
    if (p.variant == "wait") {
        alignment::result found;
        const double seconds = time_seconds([&] { found = loop_over_rows(input, p.threads); });
        // The loop has no tasks over rows; it reports the task count of the other versions.
        found.tasks = alignment::number_of_tasks(input);
        return alignment::checked(input, seconds, found);
    }
    const auto [seconds, found] = summed_over_tasks<alignment::result>(
        p, alignment::first_task(input), [&](const alignment::task& node, const auto& create) {
            return alignment::step(input, node, create);
        });
    return alignment::checked(input, seconds, found);
}

}  // namespace bench
