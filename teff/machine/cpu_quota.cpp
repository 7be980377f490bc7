// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk over the control groups of this process, from its own up to the highest that is mounted.
//
// A hierarchy may be mounted several times, each time from another of its groups on. Of the mounts through which the
// process's group can be seen, the one that begins highest shows the most ancestors and is taken. If there is none (a
// mount that a container inherited shows paths outside of its namespace), the mount point itself is all that can be
// asked: its limit is read as the group's own. Rejected: the minimum over all mounts, which may show other containers.
#include <teff/machine/cpu_quota.hpp>

#include <teff/machine/text_file.hpp>

#include <algorithm>
#include <array>

namespace teff {
namespace {

// A mount, and the group of this process below it.
struct mounted_group {
    path_buffer point;
    path_buffer below;
    std::size_t root_length = 0;
    bool found = false;
    bool visible = false;
};

bool find_group(const cgroup_roots& roots, cgroup_version version, path_buffer& group) noexcept {
    text_file file(roots.group_file);
    std::string_view line;
    while (file.next_line(line)) {
        const auto entry = parse_cgroup_line(line);
        if (!entry || entry->version != version)
            continue;
        group.append(entry->path);
        return group.valid();
    }
    return false;
}

// Takes `mount` into `best` if it shows more of the way to `group`.
void consider(const cgroup_mount& mount, std::string_view group, const char* prefix, mounted_group& best) noexcept {
    path_buffer root;
    append_unescaped(root, mount.root);
    if (!root.valid())
        return;
    const auto below = group_below(root.view(), group);
    const bool better = !best.found || (below && (!best.visible || root.view().size() < best.root_length));
    if (!better)
        return;
    best.point.clear();
    best.point.append(prefix);
    append_unescaped(best.point, mount.point);
    best.below.clear();
    best.below.append(below.value_or(""));
    best.root_length = root.view().size();
    best.visible = below.has_value();
    best.found = best.point.valid() && best.below.valid();
}

void find_mount(const cgroup_roots& roots, cgroup_version version, std::string_view group,
                mounted_group& best) noexcept {
    text_file file(roots.mount_file);
    std::string_view line;
    while (file.next_line(line)) {
        const auto mount = parse_mount_line(line);
        if (mount && mount->version == version)
            consider(*mount, group, roots.prefix, best);
    }
}

// The first line of the file `name` in the directory `path`; `path` is unchanged afterwards.
std::string_view read_setting(path_buffer& path, std::string_view name, std::span<char> storage) noexcept {
    const std::size_t length = path.view().size();
    path.append(name);
    const std::string_view line = path.valid() ? read_first_line(path.c_str(), storage) : std::string_view();
    path.shorten(length);
    return line;
}

// The limit that the group at `path` sets itself.
unsigned own_limit(path_buffer& path, cgroup_version version) noexcept {
    std::array<char, 64> first;
    std::array<char, 64> second;
    if (version == cgroup_version::v2)
        return parse_cpu_max(read_setting(path, "/cpu.max", first));
    const std::string_view quota = read_setting(path, "/cpu.cfs_quota_us", first);
    return parse_quota(quota, read_setting(path, "/cpu.cfs_period_us", second));
}

constexpr unsigned tighter(unsigned a, unsigned b) noexcept {
    if (a == no_cpu_quota || b == no_cpu_quota)
        return std::max(a, b);
    return std::min(a, b);
}

unsigned limit_of_hierarchy(const cgroup_roots& roots, cgroup_version version) noexcept {
    mounted_group mount;
    {
        path_buffer group;
        if (!find_group(roots, version, group))
            return no_cpu_quota;
        find_mount(roots, version, group.view(), mount);
    }
    if (!mount.found)
        return no_cpu_quota;
    path_buffer& path = mount.point;
    const std::size_t highest = path.view().size();
    path.append(mount.below.view());
    if (!path.valid())
        return no_cpu_quota;
    unsigned limit = own_limit(path, version);
    while (path.view().size() > highest) {
        path.shorten(std::max(highest, path.view().rfind('/')));
        limit = tighter(limit, own_limit(path, version));
    }
    return limit;
}

}  // namespace

unsigned cpu_quota(const cgroup_roots& roots) noexcept {
    return tighter(limit_of_hierarchy(roots, cgroup_version::v2), limit_of_hierarchy(roots, cgroup_version::v1));
}

}  // namespace teff
