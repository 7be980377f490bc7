// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares every row with the serial versions of its compiler and with the best peer.
//
// `serial` is the recursion built by the same compiler, so that the quality of a compiler's code does not distort a
// ratio; `stack` is the algorithm of the tasks, over a plain vector. The best peer of a kernel, size and number of
// threads is the peer row with the smallest median, whichever runtime, variant and compiler that is: the strongest
// opponent. Every ratio is the median of ratios within rounds (statistics.hpp). A variant whose work depends on luck
// gets no ratio and is never a best peer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <cli/report/results.hpp>

namespace teff::cli {

struct comparison {
    const measurement* best_peer = nullptr;  // points into the rows; null if there is none
    std::optional<paired_ratio> to_best_peer;
    std::optional<paired_ratio> to_serial;
    std::optional<paired_ratio> to_stack;
    std::optional<paired_ratio> to_process;  // kind mpi: of ranks to Teff in one process
};

// One per row, in the same order. The result points into `rows`, which must neither move nor be destroyed meanwhile.
[[nodiscard]] std::vector<comparison> compare(const std::vector<measurement>& rows);

// The mean over those rows of Teff with one number of threads, scheduler and compiler that have a best peer. Rows of a
// sweep over cut-offs do not count.
struct peer_mean {
    const configuration* what;  // the configuration of the first of these rows; points into the rows
    double ratio = 0;           // geometric mean of the ratios to the best peer
    unsigned rows = 0;
};
[[nodiscard]] std::vector<peer_mean> peer_means(const std::vector<measurement>& rows,
                                                const std::vector<comparison>& comparisons);
// A sentence for each mean that covers several rows.
[[nodiscard]] std::vector<std::string> mean_sentences(const std::vector<measurement>& rows,
                                                      const std::vector<comparison>& comparisons);

// A sentence for each kernel whose comparable rows did not execute the same number of tasks. The comparison of such a
// kernel is not fair, so the user is told.
[[nodiscard]] std::vector<std::string> unequal_work(const std::vector<measurement>& rows);

// Adds the tests of all pairs of rows that did the same problem with as many threads by the same compiler, and have
// enough runs for one.
void test_rank_sums(measurements& results);

// "libgomp wait (gcc)", "demand", "demand/tickets", "blaze/hazard": short names for tables and plots. The default
// reclaimer, epoch, is not named, nor are the usual variants.
[[nodiscard]] std::string scheduling_text(const configuration& what);
[[nodiscard]] std::string series_text(const configuration& what);

}  // namespace teff::cli
