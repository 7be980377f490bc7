// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine as the runtime sees it: its CPUs, their distances and kinds, the CPU quota of the control group, free
// memory, and the default number of threads. `teff info` prints these values. All functions may be called from any
// thread.
#pragma once

#include <teff/machine/cpu_groups.hpp>
#include <teff/machine/machine_topology.hpp>
#include <teff/machine/process_limits.hpp>
