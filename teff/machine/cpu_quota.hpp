// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many CPUs' worth of time the control groups of Linux allow this process (containers are limited this way).
//
// The tightest limit of the process's group and its ancestors holds (cgroup_walk.hpp). A limit that cannot be read
// counts as no limit: a wrong guess would only cost threads that the user can ask for by hand.
#pragma once

#include <teff/machine/cgroup_walk.hpp>

namespace teff {

// The tightest limit in CPUs, a fraction rounded up, so at least 1; no_cpu_quota (0) if there is none. Reads the files
// anew at each call, since a limit may change. Any thread may call it; it needs about 24 KiB of stack.
[[nodiscard]] unsigned cpu_quota(const cgroup_roots& roots = {}) noexcept;

}  // namespace teff
