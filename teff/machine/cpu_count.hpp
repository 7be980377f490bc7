// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of threads to use if the user does not set one.
//
// More threads than CPUs would only take turns on the CPUs. More threads than the quota of the control group allows
// would make the kernel stop all of them for the rest of each period. A synthetic topology has no influence here,
// since it describes a machine that does not exist.
#pragma once

#include <teff/machine/cpu_mask.hpp>
#include <teff/machine/cpu_quota.hpp>

#include <algorithm>

namespace teff {

// The smaller of the number of CPUs in `mask` and `quota` (no_cpu_quota: no limit); at least 1.
[[nodiscard]] constexpr unsigned default_thread_count(const cpu_mask& mask, unsigned quota) noexcept {
    const auto cpus = static_cast<unsigned>(std::max(mask.count(), 1));
    return quota == no_cpu_quota ? cpus : std::min(cpus, quota);
}

// The smaller of the number of CPUs that the calling thread may run on and the CPU quota of the process's control
// groups; at least 1. Reads a few small files, so call it once and keep the result. Any thread may call it.
[[nodiscard]] inline unsigned default_thread_count() noexcept {
    return default_thread_count(cpu_mask::of_calling_thread(), cpu_quota());
}

}  // namespace teff
