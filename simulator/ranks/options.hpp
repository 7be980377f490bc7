// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of teff_simulate_ranks.
#pragma once

#include <simulator/ranks/ranks.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace simulator {

struct ranks_command {
    std::vector<unsigned> ranks = {2, 4, 8, 16, 32, 64};
    std::vector<named_tree> trees;  // one for each number of ranks
    ranks_settings settings;        // but for those two
    bool shows_help = false;
};

// What --help prints.
std::string ranks_usage();

// A length of time with its unit, such as 1.5us, in nanoseconds; a bandwidth, such as 10GB/s, in bytes per nanosecond.
// Throw std::invalid_argument, whose text says what is allowed.
double read_time_ns(std::string_view text);
double read_bytes_per_ns(std::string_view text);

// Throws std::invalid_argument: one line that names the option, the value and what is allowed.
ranks_command read_ranks_command(const std::vector<std::string_view>& words);

// Whether all its nodes can be made.
bool is_small(const named_tree& tree) noexcept;

}  // namespace simulator
