// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the limits of the control groups, and the kernel's account of the machine's memory; see process_limits.hpp.
#include <teff/machine/process_limits.hpp>

#include <teff/machine/text.hpp>
#include <teff/machine/text_file.hpp>

#include <algorithm>
#include <array>
#include <string_view>

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

namespace {

struct group_files {
    std::string_view limit;
    std::string_view usage;
    std::string_view inactive_key;
};

constexpr group_files version_1 = {"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file"};
constexpr group_files version_2 = {"/memory.max", "/memory.current", "inactive_file"};

// "max" is no number, and no limit.
std::optional<std::uint64_t> parse_bytes(std::string_view text) noexcept {
    const auto value = parse_number(trim(text));
    if (!value || *value < 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(*value);
}

// The number behind `key` in a file of lines "KEY NUMBER ..."; a colon ends a key, too.
std::optional<std::uint64_t> read_keyed_number(const char* path, std::string_view key) noexcept {
    text_file file(path);
    std::string_view line;
    while (file.next_line(line)) {
        if (!line.starts_with(key))
            continue;
        line.remove_prefix(key.size());
        if (line.starts_with(':'))
            line.remove_prefix(1);
        if (line.empty() || !is_blank(line.front()))
            continue;
        line = trim(line);
        return parse_bytes(take_until(line, ' '));
    }
    return std::nullopt;
}

std::optional<std::uint64_t> left_by_group(path_buffer& group, cgroup_version version) noexcept {
    const group_files& files = version == cgroup_version::v2 ? version_2 : version_1;
    std::array<char, 64> storage;
    const auto limit = parse_bytes(read_cgroup_setting(group, files.limit, storage));
    const auto usage = parse_bytes(read_cgroup_setting(group, files.usage, storage));
    if (!limit || !usage)
        return std::nullopt;
    const std::size_t length = group.view().size();
    group.append("/memory.stat");
    const std::uint64_t inactive =
        group.valid() ? read_keyed_number(group.c_str(), files.inactive_key).value_or(0) : 0;
    group.shorten(length);
    const std::uint64_t in_use = *usage - std::min(*usage, inactive);
    return *limit - std::min(*limit, in_use);
}

}  // namespace

std::optional<free_memory> read_free_memory(const memory_files& files) noexcept {
    constexpr std::uint64_t bytes_per_kib = 1024;
    std::optional<free_memory> least;
    if (const auto kib = read_keyed_number(files.meminfo, "MemAvailable"))
        least = free_memory{*kib * bytes_per_kib, false};
    const auto consider = [](path_buffer& group, cgroup_version version, void* context) noexcept {
        auto& found = *static_cast<std::optional<free_memory>*>(context);
        const auto bytes = left_by_group(group, version);
        if (bytes && (!found || *bytes < found->bytes))
            found = free_memory{*bytes, true};
    };
    visit_cgroups(files.groups, "memory", consider, &least);
    return least;
}

}  // namespace teff
