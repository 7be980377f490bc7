// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels, variants and options that the user named, against what the runners have. All throw usage_error, with the
// nearest name that exists and what can be used instead.
#pragma once

#include <string>
#include <vector>

#include <cli/bench/catalogue.hpp>
#include <cli/bench/settings.hpp>

namespace teff::cli {

// Null when the runner has none of that name and kind.
[[nodiscard]] const kernel_entry* find_kernel(const runner& runner, const std::string& name, const std::string& kind);

// The kernels asked for, or all of the kind.
[[nodiscard]] std::vector<kernel_choice> chosen_kernels(const bench_settings& settings, const catalogue& found);

// Each variant asked for must be one of some kernel among the choices.
void check_variants(const std::vector<kernel_choice>& choices, const bench_settings& settings, const catalogue& found);

// The kernel must have a cut-off if there is --cutoff, and read a file if there is --input.
void check_options_of(const kernel_choice& choice, const bench_settings& settings, const catalogue& found);

}  // namespace teff::cli
