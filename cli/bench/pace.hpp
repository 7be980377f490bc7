// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pace of the delay tasks: how many iterations of their loop take a microsecond on this machine.
//
// One runner measures it once, before the rounds, and every run gets the same number: if each run measured for itself,
// two runtimes would differ by what they took for 100 ns. It is recorded among the facts about the machine.
#pragma once

#include <cstdint>
#include <optional>

#include <cli/bench/catalogue.hpp>
#include <cli/bench/plan.hpp>

namespace teff::cli {

// Asks for the pace if some configuration needs it, and writes it into all that do; empty when none does. Throws
// std::runtime_error if the runner does not answer.
[[nodiscard]] std::optional<std::uint64_t> set_pace(plan& planned, const catalogue& found);

}  // namespace teff::cli
