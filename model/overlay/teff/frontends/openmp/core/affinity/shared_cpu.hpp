// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/frontends/openmp/core/affinity/shared_cpu.hpp where threads are fibers, whose CPU the system does not
// know.
#pragma once

namespace teff::openmp {

inline void leave_cpu_of_opener(int) noexcept {}

}  // namespace teff::openmp
