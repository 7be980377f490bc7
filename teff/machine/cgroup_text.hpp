// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsers for the lines of the kernel's control group files that tell the CPU limits of this process.
//
//   /proc/self/cgroup        "4:cpu,cpuacct:/a/b" (version 1), "0::/a/b" (version 2)
//   /proc/self/mountinfo     "31 23 0:28 ROOT POINT rw shared:1 - cgroup2 cgroup rw"
//   cpu.max                  "max 100000", "150000 100000" (version 2)
//   cpu.cfs_quota_us, cpu.cfs_period_us   "-1", "150000" (version 1)
//
// The functions turn text into values and read no files; cpu_quota.cpp reads the files. Malformed text counts as no
// text. All functions are pure; any thread may call them.
#pragma once

#include <teff/machine/path_buffer.hpp>

#include <optional>
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

}  // namespace teff
