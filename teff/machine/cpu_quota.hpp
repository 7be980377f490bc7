// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU quota: how many CPUs' worth of time the Linux control groups allow this process (containers are limited in
// this way).
//
// The tightest limit of the process's group and its ancestors holds (cgroup_walk.hpp). Whatever cannot be read counts
// as no limit: a guessed limit could only take threads away, which the user would then have to request explicitly.
#pragma once

#include <teff/machine/cgroup_walk.hpp>

namespace teff {

// The tightest limit in CPUs, rounded up, so at least 1; no_cpu_quota (0) if there is none. Reads the files
// anew at each call, since a limit may change. Any thread may call it; it needs about 24 KiB of stack.
[[nodiscard]] unsigned cpu_quota(const cgroup_roots& roots = {}) noexcept;

}  // namespace teff
