// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The control groups of Linux that limit this process: its own group and every ancestor that can be seen, for one
// controller ("cpu", "memory"); and parsers for the lines of their files.
//
// Both versions of the interface are walked, also side by side (a hybrid system keeps controllers in version 1), and
// every ancestor, because a limit anywhere above holds as well. The files of /proc tell which group the process is in
// and where the hierarchy is mounted; in a container the mount often shows only a part of it.
//
//   /proc/self/cgroup        "4:cpu,cpuacct:/a/b" (version 1), "0::/a/b" (version 2)
//   /proc/self/mountinfo     "31 23 0:28 ROOT POINT rw shared:1 - cgroup2 cgroup rw"
//   cpu.max                  "max 100000", "150000 100000" (version 2)
//   cpu.cfs_quota_us, cpu.cfs_period_us   "-1", "150000" (version 1)
//
// The parsers turn text into values and read no files. Malformed text counts as no text. Any thread may call all
// functions.
#pragma once

#include <teff/machine/text_file.hpp>

#include <optional>
#include <span>
#include <string_view>

namespace teff {

enum class cgroup_version { v1, v2 };

// Means "no limit" where a number of CPUs is expected.
inline constexpr unsigned no_cpu_quota = 0;

// The control group of this process in one hierarchy.
struct cgroup_entry {
    cgroup_version version;
    std::string_view path;
};

// Parses a line of /proc/self/cgroup. Returns nothing for a version 1 hierarchy without that controller.
[[nodiscard]] std::optional<cgroup_entry> parse_cgroup_line(std::string_view line,
                                                            std::string_view controller) noexcept;

// A mounted hierarchy that may contain limits. Its group `root` is visible in the file system at `point`. Both are
// still escaped as the kernel writes them.
struct cgroup_mount {
    cgroup_version version;
    std::string_view root;
    std::string_view point;
};

// Parses a line of /proc/self/mountinfo. Returns nothing for other file systems, and for version 1 without that
// controller.
[[nodiscard]] std::optional<cgroup_mount> parse_mount_line(std::string_view line,
                                                           std::string_view controller) noexcept;

// Adds `escaped` to `path`, with the kernel's octal escapes (\040 for a space) resolved.
void append_unescaped(path_buffer& path, std::string_view escaped) noexcept;

// The path of `group` relative to the mounted group `root`: "" if they are the same group, otherwise a path that
// begins with a slash. Returns nothing if `group` is not visible through that mount, or if either path leads out of
// the namespace ("..").
[[nodiscard]] std::optional<std::string_view> group_below(std::string_view root, std::string_view group) noexcept;

// The number of CPUs that corresponds to `quota_us` of CPU time in every `period_us`, rounded up, so at least 1.
// Returns no_cpu_quota if the quota is negative or if one of the texts is not a number above zero.
[[nodiscard]] unsigned parse_quota(std::string_view quota_us, std::string_view period_us) noexcept;

// The same for the one line of cpu.max.
[[nodiscard]] unsigned parse_cpu_max(std::string_view line) noexcept;

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
