// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding the groups; see cgroup_walk.hpp.
//
// A hierarchy may be mounted several times, and each mount may begin at another of its groups. Of the mounts through
// which the process's group is visible, the walk uses the one that begins highest, because it shows the most ancestors.
// If there is none (a mount that a container inherited shows paths outside its namespace), only the mount point itself
// can be read, and its settings count as the group's own. Rejected: the minimum over all mounts, which may show other
// containers.
#include <teff/machine/cgroup_walk.hpp>

#include <teff/machine/text_file.hpp>

#include <algorithm>
#include <optional>

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

bool find_group(const cgroup_roots& roots, std::string_view controller, cgroup_version version,
                path_buffer& group) noexcept {
    text_file file(roots.group_file);
    std::string_view line;
    while (file.next_line(line)) {
        const auto entry = parse_cgroup_line(line, controller);
        if (!entry || entry->version != version)
            continue;
        group.append(entry->path);
        return group.valid();
    }
    return false;
}

// Replaces `best` by `mount` if `mount` shows more of the ancestors of `group`.
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

void find_mount(const cgroup_roots& roots, std::string_view controller, cgroup_version version, std::string_view group,
                mounted_group& best) noexcept {
    text_file file(roots.mount_file);
    std::string_view line;
    while (file.next_line(line)) {
        const auto mount = parse_mount_line(line, controller);
        if (mount && mount->version == version)
            consider(*mount, group, roots.prefix, best);
    }
}

void visit_hierarchy(const cgroup_roots& roots, std::string_view controller, cgroup_version version,
                     cgroup_visitor visit, void* context) noexcept {
    mounted_group mount;
    {
        path_buffer group;
        if (!find_group(roots, controller, version, group))
            return;
        find_mount(roots, controller, version, group.view(), mount);
    }
    if (!mount.found)
        return;
    path_buffer& path = mount.point;
    const std::size_t highest = path.view().size();
    path.append(mount.below.view());
    if (!path.valid())
        return;
    visit(path, version, context);
    while (path.view().size() > highest) {
        path.shorten(std::max(highest, path.view().rfind('/')));
        visit(path, version, context);
    }
}

}  // namespace

void visit_cgroups(const cgroup_roots& roots, std::string_view controller, cgroup_visitor visit,
                   void* context) noexcept {
    visit_hierarchy(roots, controller, cgroup_version::v2, visit, context);
    visit_hierarchy(roots, controller, cgroup_version::v1, visit, context);
}

std::string_view read_cgroup_setting(path_buffer& group, std::string_view name, std::span<char> storage) noexcept {
    const std::size_t length = group.view().size();
    group.append(name);
    const std::string_view line = group.valid() ? read_first_line(group.c_str(), storage) : std::string_view();
    group.shorten(length);
    return line;
}

}  // namespace teff
