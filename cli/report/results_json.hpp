// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results as JSON: {"partial": false, "machine": {...}, "rows": [...], "skipped": [...]}.
//
// Results are partial if the measurement was interrupted: rows may have fewer runs, or be missing.
// Times are in seconds, as measured and by round. A row contains verified runs only. A skipped configuration has the
// same keys, with null for what is unknown, and also `reason` and `lower_bound_seconds`. A field that does not apply
// (such as the scheduler outside Teff) is null, never missing: a reader may use every key of every element. Rows with
// counters also have the key `counters`, and those of another run with a record `timeline` or `graph`.
#pragma once

#include <nlohmann/json.hpp>

#include <cli/report/presentation.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

[[nodiscard]] nlohmann::ordered_json results_json(nlohmann::ordered_json machine, const measurements& results);

// The text of a JSON value; with an indent each element has a line of its own. Any text may be in it.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& value, int indent = -1);

}  // namespace teff::cli
