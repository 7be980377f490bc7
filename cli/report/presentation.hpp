// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a micro-benchmark is to be shown, as its runner describes it (bench/harness/figure.hpp explains the fields), and
// access to the values of rows that such a description names.
//
// A row of a micro-benchmark has measures in addition to its times. Given measures are parameters of the run (such as
// the length of a task). Found measures are results and differ by run; each is a number, or a list with a number per
// worker.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace teff::cli {

struct measurement;

struct figure {
    bool has_boxes = false;  // else lines ...
    bool has_dots = false;   // ... or dots
    std::string title;
    std::string measured;
    std::string measured_title;
    std::string across;
    std::string across_title;
    std::string where;
    double equals = 0;
    double least = 0;
    bool by_variant = false;
};

struct presentation {
    std::string headline;
    std::string headline_title;
    std::vector<figure> figures;
};

// By the kernel's name. Only micro-benchmarks have one.
using presentations = std::map<std::string, presentation>;

// Reads it from the description of a kernel. Throws nlohmann::json::exception.
[[nodiscard]] presentation read_presentation(const nlohmann::json& description);

// The value of a given measure, or of "threads" or "cutoff"; empty if the row has no measure of that name.
[[nodiscard]] std::optional<double> given_value(const measurement& row, const std::string& name);

// The numbers of a found measure in all runs; lists by worker are concatenated. "seconds" means the times.
[[nodiscard]] std::vector<double> found_values(const measurement& row, const std::string& name);

// The median over the runs; empty if the row has no such measure.
[[nodiscard]] std::optional<double> found_median(const measurement& row, const std::string& name);

}  // namespace teff::cli
