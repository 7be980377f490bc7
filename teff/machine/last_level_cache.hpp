// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which CPUs share the last cache before the memory.
#pragma once

namespace teff {

// A number that all CPUs with the same last-level cache as `cpu` have, and no others: that of the first one of them.
// root: as sysfs_cpu_root (topology_sources.hpp). -1: the kernel does not describe the CPU's caches. Reads a few small
// files; any thread may call it.
[[nodiscard]] int last_level_cache_of(const char* root, int cpu) noexcept;

}  // namespace teff
