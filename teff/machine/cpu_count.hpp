// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many threads to use when nobody said so.
//
// A thread more than there are CPUs for only takes turns with the others, and a thread more than the quota of the
// control group allows makes the kernel stop all of them for the rest of each period. A synthetic topology does not
// count here: it describes a machine that is not there.
#pragma once

#include <teff/machine/cpu_mask.hpp>
#include <teff/machine/cpu_quota.hpp>

#include <algorithm>

namespace teff {

// The smaller of the CPUs in `mask` and `quota` (no_cpu_quota: none); at least 1.
[[nodiscard]] constexpr unsigned default_thread_count(const cpu_mask& mask, unsigned quota) noexcept {
    const auto cpus = static_cast<unsigned>(std::max(mask.count(), 1));
    return quota == no_cpu_quota ? cpus : std::min(cpus, quota);
}

// The smaller of the CPUs that the calling thread may run on and the CPU quota of the process's control groups; at
// least 1. Reads a few small files, so ask once and keep the answer. Any thread may call it.
[[nodiscard]] inline unsigned default_thread_count() noexcept {
    return default_thread_count(cpu_mask::of_calling_thread(), cpu_quota());
}

}  // namespace teff
