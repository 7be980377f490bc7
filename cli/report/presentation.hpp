// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a micro-benchmark wants to be shown, as its runner describes it (bench/harness/figure.hpp says what each means),
// and the values of rows that this speaks of.
//
// A row of a micro-benchmark has measures beside its times: given ones are part of what was asked (the length of a
// task), found ones differ by run; a found one is a number, or a list with a number per worker.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace teff::cli {

struct measurement;

struct figure {
    bool has_boxes = false;  // else lines
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

// By kernel. Kernels of kind reduce have none.
using presentations = std::map<std::string, presentation>;

// From the description of a kernel. Throws nlohmann::json::exception.
[[nodiscard]] presentation read_presentation(const nlohmann::json& description);

// "threads", or a given measure; empty when the row has none of that name.
[[nodiscard]] std::optional<double> given_value(const measurement& row, const std::string& name);

// The numbers of a found measure in all runs, those of workers one after the other; "seconds" are the times.
[[nodiscard]] std::vector<double> found_values(const measurement& row, const std::string& name);

// The median over the runs; empty when the row has no such measure.
[[nodiscard]] std::optional<double> found_median(const measurement& row, const std::string& name);

}  // namespace teff::cli
