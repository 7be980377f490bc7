// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target (libFuzzer) over everything that reads text from outside: variables and flags, synthetic topologies, and
// the control group files.
//
// The first byte of an input chooses what reads the rest: `e` an environment (a line per variable), `f` flags (a line
// "name=value" per flag), `t` a synthetic topology, `c` a list of groups, a zero byte, and a list of mounts. Besides
// what the sanitizers find, each result is checked against what its function promises.
#include <teff/machine/cgroup.hpp>
#include <teff/machine/machine_topology.hpp>
#include <teff/machine/process_limits.hpp>
#include <teff/machine/text.hpp>
#include <teff/options/options.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace {

void require(bool condition) {
    if (!condition)
        std::abort();
}

// Every option that was set is within its row, and what is displayed can be set again with the same result. (The others
// have their default, whatever the input: the unit tests check it.)
void check_configuration(const teff::configuration& settings) {
    for (const teff::option_row& each : teff::option_table()) {
        if (settings.where(each.id) == teff::origin::built_in)
            continue;
        char storage[32];
        const std::string shown(settings.display(each.id, storage));
        teff::configuration copy;
        require(copy.set(each.id, shown, teff::origin::api, nullptr, 0));
        require(copy.integer(each.id) == settings.integer(each.id));
        require(copy.text(each.id) == settings.text(each.id));
        const long value = settings.integer(each.id);
        if (each.type == teff::option_type::integer)
            require(value == 0 || (value >= each.minimum && value <= each.maximum));
    }
}

void fuzz_environment(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty())
        lines.emplace_back(teff::take_until(text, '\n'));
    std::vector<const char*> environment;
    for (const std::string& line : lines)
        environment.push_back(line.c_str());
    environment.push_back(nullptr);
    teff::configuration settings;
    teff::read_environment(settings, environment.data());
    check_configuration(settings);
}

void fuzz_flags(std::string_view text) {
    teff::configuration settings;
    while (!text.empty()) {
        std::string_view value = teff::take_until(text, '\n');
        const std::string_view name = teff::take_until(value, '=');
        const teff::option_row* const known = teff::find_option(name);
        require(known == nullptr || teff::nearest_option(name) == known);
        const teff::option_row* const used = known != nullptr ? known : teff::nearest_option(name);
        if (used == nullptr)
            continue;
        char error[teff::option_message_size];
        const bool set = settings.set(used->id, value, teff::origin::flag, error, sizeof error);
        require(set == (error[0] == '\0'));
        require(set || std::string_view(error).find('\n') == std::string_view::npos);
    }
    check_configuration(settings);
}

void fuzz_topology(std::string_view text) {
    const auto shape = teff::parse_synthetic_shape(text);
    if (!shape)
        return;
    require(shape->sockets >= 1 && shape->cores >= 1 && shape->threads >= 1);
    static teff::topology machine;
    teff::read_synthetic(machine, *shape);
    require(machine.cpu_count() == shape->sockets * shape->cores * shape->threads);
    require(machine.cpu_count() <= teff::max_topology_cpus);
    require(machine.core_count() == shape->sockets * shape->cores);
    require(machine.socket_count() == shape->sockets);
    const auto cpus = static_cast<unsigned>(machine.cpu_count());
    require(machine.of_workers(0, cpus) == teff::proximity::same_core);
    require(machine.of_workers(0, cpus - 1) == machine.of_workers(cpus - 1, 0));
}

void fuzz_lines(std::string_view text) {
    while (!text.empty()) {
        std::string_view line = teff::take_until(text, '\n');
        if (const auto entry = teff::parse_cgroup_line(line, "cpu"))
            require(entry->path.starts_with('/'));
        if (const auto mount = teff::parse_mount_line(line, "cpu")) {
            teff::path_buffer point;
            teff::append_unescaped(point, mount->point);
            require(point.view().size() <= mount->point.size());
            if (const auto below = teff::group_below(mount->root, mount->point))
                require(below->empty() || below->starts_with('/'));
        }
        require(teff::parse_cpu_max(line) <= 1U << 30);
    }
}

// A file in memory with this content; its name is good until the next call with the same `file`.
std::string with_content(int file, std::string_view content) {
    require(::ftruncate(file, 0) == 0);
    require(::pwrite(file, content.data(), content.size(), 0) == static_cast<ssize_t>(content.size()));
    return "/proc/self/fd/" + std::to_string(file);
}

void fuzz_control_groups(std::string_view text) {
    fuzz_lines(text);
    static const int group_file = ::memfd_create("groups", 0);
    static const int mount_file = ::memfd_create("mounts", 0);
    const std::string groups = with_content(group_file, teff::take_until(text, '\0'));
    const std::string mounts = with_content(mount_file, text);
    // Nothing exists below the prefix, so that no limit of the machine can be found.
    const unsigned quota = teff::cpu_quota({groups.c_str(), mounts.c_str(), "/nowhere"});
    require(quota == teff::no_cpu_quota);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    if (text.empty())
        return 0;
    const char reader = text.front();
    text.remove_prefix(1);
    switch (reader) {
    case 'e': fuzz_environment(text); return 0;
    case 'f': fuzz_flags(text); return 0;
    case 't': fuzz_topology(text); return 0;
    case 'c': fuzz_control_groups(text); return 0;
    default: return -1;  // keeps such inputs out of the corpus
    }
}
