// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lines of the kernel's control group files that say where a limit is, and how high a CPU limit is.
//
//   /proc/self/cgroup        "4:cpu,cpuacct:/a/b" (version 1), "0::/a/b" (version 2)
//   /proc/self/mountinfo     "31 23 0:28 ROOT POINT rw shared:1 - cgroup2 cgroup rw"
//   cpu.max                  "max 100000", "150000 100000" (version 2)
//   cpu.cfs_quota_us, cpu.cfs_period_us   "-1", "150000" (version 1)
//
// Text in, values out, no files: what reads files is cgroup_walk.cpp. Malformed text is the same as no text.
// All functions are pure; any thread may call them.
#pragma once

#include <teff/machine/path_buffer.hpp>

#include <optional>
#include <string_view>

namespace teff {

enum class cgroup_version { v1, v2 };

// Stands for "no limit" wherever a number of CPUs is meant.
inline constexpr unsigned no_cpu_quota = 0;

// The group of this process in one hierarchy.
struct cgroup_entry {
    cgroup_version version;
    std::string_view path;
};

// A line of /proc/self/cgroup. Nothing for a version 1 hierarchy without that controller.
[[nodiscard]] std::optional<cgroup_entry> parse_cgroup_line(std::string_view line,
                                                            std::string_view controller) noexcept;

// A mounted hierarchy that may hold limits: the group `root` of it appears in the file system at `point`. Both are
// still escaped as the kernel writes them.
struct cgroup_mount {
    cgroup_version version;
    std::string_view root;
    std::string_view point;
};

// A line of /proc/self/mountinfo. Nothing for other file systems and for version 1 without that controller.
[[nodiscard]] std::optional<cgroup_mount> parse_mount_line(std::string_view line,
                                                           std::string_view controller) noexcept;

// Adds `escaped` to `path`, with the kernel's octal escapes (\040 for a space) resolved.
void append_unescaped(path_buffer& path, std::string_view escaped) noexcept;

// Where the group `group` lies below the mounted group `root`: "" if it is that group, otherwise a path that begins
// with a slash. Nothing if it cannot be seen through that mount, as when either path leads out of the namespace ("..").
[[nodiscard]] std::optional<std::string_view> group_below(std::string_view root, std::string_view group) noexcept;

// CPUs that `quota_us` of CPU time in every `period_us` is worth, a fraction rounded up; at least 1. no_cpu_quota if
// the quota is negative or one of the texts is not a number above zero.
[[nodiscard]] unsigned parse_quota(std::string_view quota_us, std::string_view period_us) noexcept;

// The same for the one line of cpu.max.
[[nodiscard]] unsigned parse_cpu_max(std::string_view line) noexcept;

}  // namespace teff
