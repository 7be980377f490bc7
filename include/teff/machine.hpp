// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine as the runtime sees it: its CPUs, their distances and kinds, the CPU quota of the control group, free
// memory, and the default number of threads. `teff info` prints these values. All functions may be called from any
// thread.
#pragma once

#include <teff/machine/core_kinds.hpp>
#include <teff/machine/cpu_count.hpp>
#include <teff/machine/cpu_quota.hpp>
#include <teff/machine/free_memory.hpp>
#include <teff/machine/machine_topology.hpp>
