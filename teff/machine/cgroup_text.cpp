// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parsers of cgroup_text.hpp. Formats: cgroups(7), and proc(5) for mountinfo.
#include <teff/machine/cgroup_text.hpp>

#include <teff/machine/text.hpp>

#include <algorithm>
#include <cstddef>

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

}  // namespace teff
