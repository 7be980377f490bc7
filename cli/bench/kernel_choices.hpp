// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the kernels, variants and options that the user named against what the runners have. The checks throw a
// usage_error that names the nearest existing name and what can be used instead.
#pragma once

#include <string>
#include <vector>

#include <cli/bench/catalogue.hpp>
#include <cli/bench/settings.hpp>

namespace teff::cli {

// Null if the runner has no kernel of that name and kind.
[[nodiscard]] const kernel_entry* find_kernel(const runner& runner, const std::string& name, const std::string& kind);

// The kernels asked for; all of that kind if none was named.
[[nodiscard]] std::vector<kernel_choice> chosen_kernels(const bench_settings& settings, const catalogue& found);

// Each variant asked for must exist in at least one of the chosen kernels.
void check_variants(const std::vector<kernel_choice>& choices, const bench_settings& settings, const catalogue& found);

// With --cutoff the kernel must have a cut-off; with --input it must read a file.
void check_options_of(const kernel_choice& choice, const bench_settings& settings, const catalogue& found);

}  // namespace teff::cli
