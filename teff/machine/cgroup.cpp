// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses the lines of control groups, and walks from the own group to its ancestors; see cgroup.hpp.
#include <teff/machine/cgroup.hpp>

#include <teff/machine/text.hpp>
#include <teff/machine/text_file.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace teff {
namespace {

// Is `word` one of the comma-separated words of `list`?
bool lists(std::string_view list, std::string_view word) noexcept {
    while (!list.empty())
        if (take_until(list, ',') == word)
            return true;
    return false;
}

constexpr bool is_octal(char digit) noexcept { return digit >= '0' && digit <= '7'; }

constexpr int octal_value(std::string_view digits) noexcept {
    return (digits[0] - '0') * 64 + (digits[1] - '0') * 8 + (digits[2] - '0');
}

bool leads_upwards(std::string_view path) noexcept {
    while (!path.empty())
        if (take_until(path, '/') == "..")
            return true;
    return false;
}

}  // namespace

std::optional<cgroup_entry> parse_cgroup_line(std::string_view line, std::string_view controller) noexcept {
    const std::string_view hierarchy = take_until(line, ':');
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !parse_number(hierarchy))
        return std::nullopt;
    const std::string_view controllers = take_until(line, ':');
    // The path is the rest of the line, even if it contains colons: the name of a group may.
    if (line.empty() || line.front() != '/')
        return std::nullopt;
    if (hierarchy == "0" && controllers.empty())
        return cgroup_entry{cgroup_version::v2, line};
    if (lists(controllers, controller))
        return cgroup_entry{cgroup_version::v1, line};
    return std::nullopt;
}

std::optional<cgroup_mount> parse_mount_line(std::string_view line, std::string_view controller) noexcept {
    for (int skipped = 0; skipped < 3; ++skipped)  // mount, parent, device
        take_until(line, ' ');
    const std::string_view root = take_until(line, ' ');
    const std::string_view point = take_until(line, ' ');
    // Any number of optional fields, then a lone dash.
    while (!line.empty() && take_until(line, ' ') != "-") {
    }
    const std::string_view type = take_until(line, ' ');
    take_until(line, ' ');  // source
    if (root.empty() || root.front() != '/' || point.empty() || point.front() != '/')
        return std::nullopt;
    if (type == "cgroup2")
        return cgroup_mount{cgroup_version::v2, root, point};
    if (type == "cgroup" && lists(trim(line), controller))
        return cgroup_mount{cgroup_version::v1, root, point};
    return std::nullopt;
}

void append_unescaped(path_buffer& path, std::string_view escaped) noexcept {
    while (!escaped.empty()) {
        if (escaped.size() >= 4 && escaped[0] == '\\' && is_octal(escaped[1]) && is_octal(escaped[2]) &&
            is_octal(escaped[3])) {
            const char character = static_cast<char>(octal_value({escaped.data() + 1, 3}));
            path.append(std::string_view(&character, 1));
            escaped.remove_prefix(4);
        } else {
            path.append(std::string_view(escaped.data(), 1));
            escaped.remove_prefix(1);
        }
    }
}

std::optional<std::string_view> group_below(std::string_view root, std::string_view group) noexcept {
    if (leads_upwards(root) || leads_upwards(group))
        return std::nullopt;
    if (root != "/") {
        if (!group.starts_with(root))
            return std::nullopt;
        group.remove_prefix(root.size());
    }
    if (group == "/")
        group = {};
    if (!group.empty() && group.front() != '/')  // "/a" is no ancestor of "/ab"
        return std::nullopt;
    return group;
}

unsigned parse_quota(std::string_view quota_us, std::string_view period_us) noexcept {
    const auto quota = parse_number(trim(quota_us));
    const auto period = parse_number(trim(period_us));
    if (!quota || !period || *quota <= 0 || *period <= 0)
        return no_cpu_quota;
    const long rounded_up = *quota / *period + (*quota % *period != 0 ? 1 : 0);
    constexpr long most = 1L << 30;  // keeps the result in range; far above any machine
    return static_cast<unsigned>(std::min(rounded_up, most));
}

unsigned parse_cpu_max(std::string_view line) noexcept {
    std::string_view period = trim(line);
    const std::string_view quota = take_until(period, ' ');
    return parse_quota(quota, period);  // "max" is not a number, so it means no quota
}

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
