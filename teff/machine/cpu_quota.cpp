// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tightest CPU limit of the control groups; see cpu_quota.hpp.
#include <teff/machine/cpu_quota.hpp>

#include <algorithm>
#include <array>

namespace teff {
namespace {

// The limit that is set on the group at `path` itself, ancestors not included.
unsigned own_limit(path_buffer& path, cgroup_version version) noexcept {
    std::array<char, 64> first;
    std::array<char, 64> second;
    if (version == cgroup_version::v2)
        return parse_cpu_max(read_cgroup_setting(path, "/cpu.max", first));
    const std::string_view quota = read_cgroup_setting(path, "/cpu.cfs_quota_us", first);
    return parse_quota(quota, read_cgroup_setting(path, "/cpu.cfs_period_us", second));
}

constexpr unsigned tighter(unsigned a, unsigned b) noexcept {
    if (a == no_cpu_quota || b == no_cpu_quota)
        return std::max(a, b);
    return std::min(a, b);
}

}  // namespace

unsigned cpu_quota(const cgroup_roots& roots) noexcept {
    unsigned limit = no_cpu_quota;
    const auto consider = [](path_buffer& group, cgroup_version version, void* context) noexcept {
        auto& least = *static_cast<unsigned*>(context);
        least = tighter(least, own_limit(group, version));
    };
    visit_cgroups(roots, "cpu", consider, &limit);
    return limit;
}

}  // namespace teff
