// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The topology of this process.
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

}  // namespace teff
