// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine as the runtime sees it: its CPUs and their distances, the control group's quota, free memory, the default
// number of threads. What `teff info` shows; any thread may ask.
#pragma once

#include <teff/machine/cpu_count.hpp>
#include <teff/machine/cpu_quota.hpp>
#include <teff/machine/free_memory.hpp>
#include <teff/machine/machine_topology.hpp>
