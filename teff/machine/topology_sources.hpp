// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sources of a topology: each fills one, or says that it cannot.
//
// All are deterministic functions of their arguments and the files they read, so tests call them with trees and
// descriptions of their own. Each may be called by any thread on a topology that nobody else uses yet. On false the
// topology is that of one CPU.
#pragma once

#include <teff/machine/topology.hpp>

namespace teff {

// Where Linux describes its CPUs.
inline constexpr const char* sysfs_cpu_root = "/sys/devices/system/cpu";

// The CPUs of `usable`, one core each, on one socket.
void read_flat(topology& result, const cpu_mask& usable) noexcept;

// Sockets, cores and threads as described, with CPUs numbered from 0, threads of a core in a row.
void read_synthetic(topology& result, const synthetic_shape& shape) noexcept;

// The CPUs of `usable` that are described below `root` (files cpuN/topology/physical_package_id, core_cpus_list or its
// older name thread_siblings_list, core_id). An offline CPU has no description and is left out. False if none has one.
[[nodiscard]] bool read_sysfs(topology& result, const char* root, const cpu_mask& usable) noexcept;

// The CPUs of `usable` as hwloc sees them; false if it fails. Defined only in builds with TEFF_WITH_HWLOC.
[[nodiscard]] bool read_hwloc(topology& result, const cpu_mask& usable) noexcept;

}  // namespace teff
