// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows beside each other: every row against the serial versions of its compiler and against the best peer.
//
// Serial is the recursion of the same compiler, so that no compiler's good or bad code hides in a ratio; `stack` is the
// same algorithm as the tasks over a plain vector. The best peer of a kernel, size and number of threads is the peer
// row with the smallest median, whichever runtime, variant and compiler that is: the strongest opponent there is.
// Every ratio is the median of ratios within rounds (statistics.hpp). Variants whose work depends on luck neither get
// a ratio nor are anybody's best peer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <cli/report/results.hpp>

namespace teff::cli {

struct comparison {
    const measurement* best_peer = nullptr;  // points into the rows; null when there is none
    std::optional<paired_ratio> to_best_peer;
    std::optional<paired_ratio> to_serial;
    std::optional<paired_ratio> to_stack;
};

// One per row, in the same order. The rows must stay where they are while the answer is used.
[[nodiscard]] std::vector<comparison> compare(const std::vector<measurement>& rows);

// Over the rows of Teff with one number of threads, scheduler and compiler that have a best peer.
struct peer_mean {
    const configuration* what;  // of the first of them, in the rows
    double ratio = 0;           // to the best peer, geometric mean
    unsigned rows = 0;
};
[[nodiscard]] std::vector<peer_mean> peer_means(const std::vector<measurement>& rows,
                                                const std::vector<comparison>& comparisons);
// Those of several rows, as sentences.
[[nodiscard]] std::vector<std::string> mean_sentences(const std::vector<measurement>& rows,
                                                      const std::vector<comparison>& comparisons);

// Kernels whose comparable rows did not execute the same number of tasks: a sentence for each. The comparison of
// such a kernel is not fair, so the user is told.
[[nodiscard]] std::vector<std::string> unequal_work(const std::vector<measurement>& rows);

// "libgomp wait (gcc)", "demand", "blaze/hazard": short names for tables and plots. Epoch, the default, is not named.
[[nodiscard]] std::string scheduling_text(const configuration& what);
[[nodiscard]] std::string series_text(const configuration& what);

}  // namespace teff::cli
