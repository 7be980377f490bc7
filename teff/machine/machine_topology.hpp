// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one topology that the process works with.
//
// It is found once, at the first question, and never changes: workers are placed by it. In rising precedence: what the
// machine says (sysfs, else hwloc where built in, else flat), the variable TEFF_TOPOLOGY, choose_machine_topology().
// A malformed variable counts as not set here; the option parser is what warns of it.
#pragma once

#include <teff/machine/topology.hpp>

namespace teff {

// The topology of this process. Any thread may call it; the first call reads files, later ones cost next to nothing.
// The CPUs are those that the thread of the first call may run on.
[[nodiscard]] const topology& machine_topology() noexcept;

// Makes `shape` the topology of the process. False, with nothing changed, if another is in use already: call it before
// the first parallel work. Any thread may call it.
[[nodiscard]] bool choose_machine_topology(const synthetic_shape& shape) noexcept;

}  // namespace teff
