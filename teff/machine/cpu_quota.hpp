// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many CPUs' worth of time the control groups of Linux allow this process (containers are limited this way).
//
// Both versions of the interface are read, also side by side (a hybrid system keeps the cpu controller in version 1),
// and every ancestor of the process's group, because a limit anywhere above holds as well. The files of /proc tell
// which group that is and where the hierarchy is mounted; in a container the mount often shows only a part of it.
// What cannot be read counts as no limit: a wrong guess would only cost threads that the user can ask for by hand.
#pragma once

#include <teff/machine/cgroup_text.hpp>

namespace teff {

// Where to look. The defaults are this process's; tests point them at a tree of their own.
struct cgroup_roots {
    const char* group_file = "/proc/self/cgroup";
    const char* mount_file = "/proc/self/mountinfo";
    const char* prefix = "";  // put before every mount point
};

// The tightest limit in CPUs, a fraction rounded up, so at least 1; no_cpu_quota (0) if there is none. Reads the files
// anew at each call, since a limit may change. Any thread may call it; it needs about 24 KiB of stack.
[[nodiscard]] unsigned cpu_quota(const cgroup_roots& roots = {}) noexcept;

}  // namespace teff
