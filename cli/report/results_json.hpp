// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results as JSON: {"machine": {...}, "rows": [...], "skipped": [...]}.
//
// Times are in seconds, raw and by round. A row holds verified runs only. A skip has the same keys, with null where
// nothing is known, and also `reason` and `lower_bound_seconds`. A field that does not apply (a scheduler outside Teff)
// is null, never missing: a reader may use every key of every element. Rows with counters have the key `counters` too.
#pragma once

#include <nlohmann/json.hpp>

#include <cli/report/presentation.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

[[nodiscard]] nlohmann::ordered_json results_json(nlohmann::ordered_json machine, const measurements& results);

// Writes the text to the file, whole or not at all where the system allows it. Throws std::runtime_error.
void write_file(const std::string& file, const std::string& text);

}  // namespace teff::cli
