// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long the remaining runs will take, judging by those that have been made.
//
// A configuration takes as long as in its last run; one that has not run yet takes the mean of the others.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace teff::cli {

struct remaining_runs {
    unsigned count = 0;
    std::optional<double> last_seconds = {};  // of the whole process; empty before the first run
};

// Empty if nothing has run yet.
[[nodiscard]] std::optional<double> seconds_left(const std::vector<remaining_runs>& all);

// "40 s", "3 min", "2 h 10 min": no finer than such a guess is.
[[nodiscard]] std::string rough_duration(double seconds);

}  // namespace teff::cli
