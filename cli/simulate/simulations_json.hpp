// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of simulations as JSON, and the machine among them:
//
//   {"partial": false, "machine": {...}, "seed": 1, "runs": 1, "version": "0.1.0", "commit": "...",
//    "rows": [...], "skipped": [...]}
//
// The machine is as in a machine file, with all costs. A row has everything of the simulator's line, and the tracker
// (null for tasks without accesses) and the speed-up over one thread (null without such a row). Nothing depends on when
// and where the file was made: the same command gives the same file.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <cli/simulate/simulated.hpp>

namespace teff::cli {

[[nodiscard]] nlohmann::ordered_json machine_json(const simulator::machine& on);

[[nodiscard]] nlohmann::ordered_json simulations_json(const simulate_settings& settings, const simulations& results);

}  // namespace teff::cli
