// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Medians, quartiles, ratios of two series that were measured in the same rounds, and whether two series differ.
//
// A ratio of two medians compares times that may be minutes apart. The runs here are interleaved, so each round has
// one time of every configuration, taken under the same state of the machine. So a ratio is formed within each round,
// and the result is the median of these ratios. A round that only one of the two series has does not count. The
// number of pairs is reported, because a slow peer keeps a single run and the reader must know what the number rests
// on.
//
// Whether two series differ at all is another question, which a ratio does not answer: it is above 1 or below it in any
// case. Wilcoxon's rank sum test (also Mann's and Whitney's) answers it without assuming a distribution of the times.
// It is exact where that is possible, and otherwise uses the normal distribution with the usual two corrections, for
// ties and for continuity. Both are what R's wilcox.test() computes, so results can be compared with those of papers.
// Rejected: the test of signed ranks, for pairs of the same round. The machine's speed changes within a round, too, and
// the papers that Teff follows use the rank sum.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace teff::cli {

// One verified time. Rounds count from 0.
struct timed_run {
    unsigned round = 0;
    double seconds = 0;
};

struct paired_ratio {
    double median = 0;
    unsigned pairs = 0;
    double least = 0;  // of the ratios within rounds
    double most = 0;
};

// The middle value, or the mean of the two middle values. The series must not be empty.
[[nodiscard]] double median(std::vector<double> series);

// Least, quartiles and most; quartiles are interpolated linearly between two values. The series must not be empty.
struct five_number_summary {
    double least = 0;
    double lower = 0;
    double middle = 0;
    double upper = 0;
    double most = 0;
};
[[nodiscard]] five_number_summary quartiles(std::vector<double> series);

[[nodiscard]] std::vector<double> seconds_of(std::span<const timed_run> runs);

// The median of above.seconds / below.seconds over their common rounds; empty if they have no common round.
[[nodiscard]] std::optional<paired_ratio> ratio_by_rounds(std::span<const timed_run> above,
                                                          std::span<const timed_run> below);

struct rank_sum {
    double w = 0;  // of how many pairs of a value of either series the first is the greater one; equal ones count half
    double p = 1;  // how probable a W so far from the middle is if both series have the same distribution; two-sided
};

// A p below this is called significant.
inline constexpr double significance_level = 0.05;

// With fewer values in each series not even series that do not overlap have a p below that level: of 3 and 3 it is 0.1.
inline constexpr unsigned fewest_for_rank_sum = 4;

// Neither series may be empty.
[[nodiscard]] rank_sum rank_sum_test(std::span<const double> first, std::span<const double> second);

}  // namespace teff::cli
