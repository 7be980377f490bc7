// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pace of the delay tasks: the number of iterations of their loop that take a microsecond on this machine.
//
// One runner measures it once, before the rounds, and every run gets the same number. If each run measured it for
// itself, two runtimes would disagree about how long 100 ns are. The pace is recorded among the facts about the
// machine.
#pragma once

#include <cstdint>
#include <optional>

#include <cli/bench/catalogue.hpp>
#include <cli/bench/plan.hpp>

namespace teff::cli {

// If some configuration needs the pace: asks a runner for it and writes it into all configurations that need it.
// Returns nothing if none does. Throws std::runtime_error if the runner does not answer.
[[nodiscard]] std::optional<std::uint64_t> set_pace(plan& planned, const catalogue& found);

}  // namespace teff::cli
