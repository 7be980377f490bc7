// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The topology of this process, and the sources of which one is chosen for it.
//
// It is determined once, at the first call, and never changes, because workers are placed by it. In rising precedence
// it comes from the machine itself (sysfs, else hwloc where it is built in, else flat), from the environment variable
// TEFF_TOPOLOGY, or from choose_machine_topology(). A malformed variable counts as not set here; the option parser
// warns of it.
#pragma once

#include <teff/machine/topology.hpp>

namespace teff {

// The topology of this process. Any thread may call it. The first call reads files; later calls cost next to nothing.
// Its CPUs are those that the thread of the first call may run on.
[[nodiscard]] const topology& machine_topology() noexcept;

// Makes `shape` the topology of the process. Returns false and changes nothing if another topology is in use already,
// so call it before the first parallel work. Any thread may call it.
[[nodiscard]] bool choose_machine_topology(const synthetic_shape& shape) noexcept;

// Each source fills a topology, or reports that it cannot. All are deterministic functions of their arguments and of
// the files that they read, so tests call them with their own file trees and descriptions. Any thread may call them on
// a topology that no other thread uses yet. If a function returns false, the topology is that of one CPU.

// Where Linux describes its CPUs.
inline constexpr const char* sysfs_cpu_root = "/sys/devices/system/cpu";

// The CPUs of `usable`, one core each, on one socket.
void read_flat(topology& result, const cpu_mask& usable) noexcept;

// Sockets, cores and threads as described. CPUs are numbered from 0, the threads of a core consecutively.
void read_synthetic(topology& result, const synthetic_shape& shape) noexcept;

// The CPUs of `usable` that are described below `root` (files cpuN/topology/physical_package_id, core_cpus_list or
// its older name thread_siblings_list, core_id; the NUMA domain from the name of the entry cpuN/nodeM). An offline CPU
// has no description and is left out. Returns false if no CPU has a description.
[[nodiscard]] bool read_sysfs(topology& result, const char* root, const cpu_mask& usable) noexcept;

// The CPUs of `usable` as hwloc sees them. Returns false if hwloc fails. Defined only in builds with hwloc.
[[nodiscard]] bool read_hwloc(topology& result, const cpu_mask& usable) noexcept;

}  // namespace teff
