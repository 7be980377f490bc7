// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The control groups of Linux that limit this process: its own group and every ancestor that can be seen, for one
// controller ("cpu", "memory").
//
// Both versions of the interface are walked, also side by side (a hybrid system keeps controllers in version 1), and
// every ancestor, because a limit anywhere above holds as well. The files of /proc tell which group the process is in
// and where the hierarchy is mounted; in a container the mount often shows only a part of it.
#pragma once

#include <teff/machine/cgroup_text.hpp>
#include <teff/machine/path_buffer.hpp>

#include <span>
#include <string_view>

namespace teff {

// Where to look. The defaults are this process's files; tests set a tree of their own.
struct cgroup_roots {
    const char* group_file = "/proc/self/cgroup";
    const char* mount_file = "/proc/self/mountinfo";
    const char* prefix = "";  // put before every mount point
};

// Is given the folder of each group. It may append to the path, and leaves it unchanged.
using cgroup_visitor = void (*)(path_buffer& group, cgroup_version version, void* context) noexcept;

// Calls visit(group, version, context) for the own group first, then for each ancestor up to the mount point; version 2
// before version 1. Calls nothing for what cannot be read. Any thread may call it; it needs about 24 KiB of stack.
void visit_cgroups(const cgroup_roots& roots, std::string_view controller, cgroup_visitor visit,
                   void* context) noexcept;

// The first line of the file `name` ("/cpu.max") in the group's folder; empty if there is none. See read_first_line().
[[nodiscard]] std::string_view read_cgroup_setting(path_buffer& group, std::string_view name,
                                                   std::span<char> storage) noexcept;

}  // namespace teff
