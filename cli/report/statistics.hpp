// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Medians, quartiles, and ratios of two series that were measured in the same rounds.
//
// A ratio of two medians compares times that may be minutes apart. The runs here are interleaved, so each round has
// one time of every configuration, taken under the same state of the machine. So a ratio is formed within each round,
// and the result is the median of these ratios. A round that only one of the two series has does not count. The
// number of pairs is reported, because a slow peer keeps a single run and the reader must know what the number rests
// on.
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

}  // namespace teff::cli
