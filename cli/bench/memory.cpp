// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading free memory; see memory.hpp.
//
// A line of /proc/self/cgroup names the group of this process in one hierarchy, a line of /proc/self/mountinfo the
// folder at which (a part of) that hierarchy can be seen. In a container the mounted part often begins below the top:
// the group's path is then taken relative to the mount's root, and if it lies outside, the mount point itself is the
// nearest group that can be seen.
#include <cli/bench/memory.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include <cli/text.hpp>

namespace teff::cli {

namespace fs = std::filesystem;

namespace {

struct hierarchy {
    const char* limit_file;
    const char* usage_file;
    const char* inactive_key;
};

constexpr hierarchy version_1 = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr hierarchy version_2 = {"memory.max", "memory.current", "inactive_file"};

std::optional<std::uint64_t> read_number(const fs::path& file) {
    std::ifstream stream(file);
    std::string word;
    if (!(stream >> word))
        return std::nullopt;
    const auto value = parse_integer(word);  // "max" is no number, and no limit
    if (!value || *value < 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(*value);
}

std::uint64_t read_keyed_number(const fs::path& file, const std::string& key) {
    std::ifstream stream(file);
    std::string word;
    std::uint64_t value = 0;
    while (stream >> word >> value)
        if (word == key)
            return value;
    return 0;
}

std::optional<std::uint64_t> available_on_machine(const fs::path& root) {
    std::ifstream stream(root / "proc/meminfo");
    std::string line;
    while (std::getline(stream, line)) {
        std::istringstream words(line);
        std::string key;
        std::uint64_t kibibytes = 0;
        if (words >> key >> kibibytes && key == "MemAvailable:")
            return kibibytes * 1024;
    }
    return std::nullopt;
}

bool has_word(const std::string& list, const std::string& word) {
    const auto words = split_list(list);
    return std::find(words.begin(), words.end(), word) != words.end();
}

// The path of this process's group in the hierarchy that controls memory.
std::optional<std::string> group_path(const fs::path& root, bool is_version_2) {
    std::ifstream stream(root / "proc/self/cgroup");
    std::string line;
    while (std::getline(stream, line)) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
        if (second == std::string::npos)
            continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (is_version_2 ? line.starts_with("0::") : has_word(controllers, "memory"))
            return line.substr(second + 1);
    }
    return std::nullopt;
}

struct mount {
    std::string group;  // the group that appears at the point
    fs::path point;
};

std::optional<mount> find_mount(const fs::path& root, bool is_version_2) {
    std::ifstream stream(root / "proc/self/mountinfo");
    std::string line;
    while (std::getline(stream, line)) {
        const std::size_t dash = line.find(" - ");
        if (dash == std::string::npos)
            continue;
        std::istringstream before(line.substr(0, dash));
        std::istringstream after(line.substr(dash + 3));
        std::string skipped;
        mount found;
        std::string point;
        before >> skipped >> skipped >> skipped >> found.group >> point;
        std::string type;
        std::string options;
        after >> type >> skipped >> options;
        if (is_version_2 ? type == "cgroup2" : type == "cgroup" && has_word(options, "memory")) {
            found.point = point;
            return found;
        }
    }
    return std::nullopt;
}

// The group's path below the mount point; "." when it is the point itself or cannot be seen.
fs::path below(const std::string& mounted_group, const std::string& group) {
    if (group.find("/..") != std::string::npos)
        return ".";
    const std::string prefix = mounted_group == "/" ? "" : mounted_group;
    if (!group.starts_with(prefix) || group.size() <= prefix.size() + 1)
        return ".";
    return fs::path(group.substr(prefix.size())).relative_path();
}

std::optional<std::uint64_t> available_in_group(const fs::path& folder, const hierarchy& files) {
    const auto limit = read_number(folder / files.limit_file);
    const auto usage = read_number(folder / files.usage_file);
    if (!limit || !usage)
        return std::nullopt;
    const std::uint64_t inactive = read_keyed_number(folder / "memory.stat", files.inactive_key);
    const std::uint64_t in_use = *usage - std::min(*usage, inactive);
    return *limit - std::min(*limit, in_use);
}

// The least that any ancestor leaves.
std::optional<std::uint64_t> available_in_groups(const fs::path& root, bool is_version_2) {
    const auto group = group_path(root, is_version_2);
    const auto mounted = find_mount(root, is_version_2);
    if (!group || !mounted)
        return std::nullopt;
    const fs::path top = root / mounted->point.relative_path();
    std::optional<std::uint64_t> least = available_in_group(top, is_version_2 ? version_2 : version_1);
    fs::path folder = top;
    for (const fs::path& part : below(mounted->group, *group)) {
        folder /= part;
        if (const auto free = available_in_group(folder, is_version_2 ? version_2 : version_1))
            least = std::min(least.value_or(*free), *free);
    }
    return least;
}

}  // namespace

std::optional<free_memory> read_free_memory(const fs::path& root) {
    std::optional<free_memory> least;
    const auto consider = [&](const std::optional<std::uint64_t>& bytes, const char* bound) {
        if (bytes && (!least || *bytes < least->bytes))
            least = free_memory{*bytes, bound};
    };
    consider(available_on_machine(root), "free on this machine");
    consider(available_in_groups(root, true), "left by the control group's limit");
    consider(available_in_groups(root, false), "left by the control group's limit");
    return least;
}

std::optional<std::string> refusal(std::uint64_t needed_bytes, const std::optional<free_memory>& free) {
    if (!free || needed_bytes <= free->bytes)
        return std::nullopt;
    return fmt::format("refused: needs about {}, more than the {} {}", format_bytes(needed_bytes),
                       format_bytes(free->bytes), free->bound);
}

}  // namespace teff::cli
