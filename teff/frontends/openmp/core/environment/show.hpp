// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the settings in the form of OMP_DISPLAY_ENV (OpenMP 5.1, section 6.12), with where each value came from.
#pragma once

#include <teff/frontends/openmp/core/environment/read.hpp>

namespace teff::openmp::environment {

// All values of `read` must be resolved. is_verbose: also the variables of other runtimes.
void show(int descriptor, const reading& read, bool is_verbose) noexcept;
// As KMP_SETTINGS wants it: the variables that are set, then all settings.
void show_settings(int descriptor, const reading& read) noexcept;

}  // namespace teff::openmp::environment
