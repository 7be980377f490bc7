// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which simulations are run: kernel x size x face x scheduler x tracker x threads.
//
// Only tasks that declare accesses have a tracker, those of the face `dataflow`; elsewhere the field is empty, and null
// in the JSON. The user's kernels, sizes and faces are checked here against what the simulator has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <cli/simulate/settings.hpp>
#include <cli/simulate/simulator_program.hpp>

namespace teff::cli {

struct simulation {
    std::string kernel;
    std::string face;
    long size = 0;
    std::string size_is;
    std::string scheduler;
    std::optional<std::string> tracker;
    unsigned threads = 1;

    // "fib reduce 20, demand, 4 threads".
    [[nodiscard]] std::string text() const;
    // "demand", or "demand tickets".
    [[nodiscard]] std::string scheduling() const;
    // The same kernel, size and face: rows of one table.
    [[nodiscard]] bool same_program(const simulation& other) const;
    // Also the same scheduler and tracker: rows of one line of a plot.
    [[nodiscard]] bool same_line(const simulation& other) const;
};

// Throws usage_error. Simulations of the same program are adjacent, and so are those of the same line.
[[nodiscard]] std::vector<simulation> plan_simulations(const simulate_settings& settings,
                                                       const simulator_program& simulator);

// The arguments by which the simulator does it.
[[nodiscard]] std::vector<std::string> simulator_arguments(const simulation& what, const simulate_settings& settings);

}  // namespace teff::cli
