// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sources that need nothing but the C library: flat, synthetic and sysfs.
//
// The key of a core is the first CPU in its list of siblings, which is unique in the machine. The kernel's core_id is
// unique only within a die, and a socket may contain several dies.
#include <teff/machine/topology_sources.hpp>

#include <teff/machine/path_buffer.hpp>
#include <teff/machine/text_file.hpp>

#include <optional>
#include <unistd.h>

namespace teff {
namespace {

// The number at the beginning of the file `name` below `path`, which is unchanged afterwards.
std::optional<int> read_leading_number(path_buffer& path, std::string_view name) noexcept {
    const std::size_t length = path.view().size();
    path.append(name);
    const auto number = path.valid() ? teff::read_leading_number(path.c_str()) : std::nullopt;
    path.shorten(length);
    return number;
}

// The number M of the entry nodeM beside the folder `path` of a CPU, which the kernel links to its NUMA domain; -1 if
// there is none. Tries `likely` first.
int find_numa(path_buffer& path, int likely) noexcept {
    constexpr int most_domains = 1024;
    const std::size_t length = path.view().size();
    const auto exists = [&](int domain) {
        path.append("/../node").append(domain);
        const bool found = path.valid() && ::access(path.c_str(), F_OK) == 0;
        path.shorten(length);
        return found;
    };
    if (likely >= 0 && exists(likely))
        return likely;
    for (int domain = 0; domain < most_domains; ++domain)
        if (exists(domain))
            return domain;
    return -1;
}

// Adds the CPU `cpu` if there is a description of it below `path`. `numa`: the domain of the CPU before it, then of
// this one; -1 if the kernel tells of none.
void add_described_cpu(topology& result, path_buffer& path, int cpu, int& numa) noexcept {
    const auto socket = read_leading_number(path, "/physical_package_id");
    auto core = read_leading_number(path, "/core_cpus_list");
    if (!core)
        core = read_leading_number(path, "/thread_siblings_list");
    if (!core)
        core = read_leading_number(path, "/core_id");
    // If both numbers are missing, the CPU is offline or the directory does not belong to a sysfs. One number is
    // enough: on machines whose firmware tables have no sockets, the package number is -1 or missing.
    if (!socket && !core)
        return;
    if (numa >= 0)
        numa = find_numa(path, numa);
    result.add(cpu, socket.value_or(0), core.value_or(cpu), numa);
}

}  // namespace

void read_flat(topology& result, const cpu_mask& usable) noexcept {
    result.begin(topology_source::flat);
    for (int cpu = 0; cpu < cpu_mask::capacity; ++cpu)
        if (usable.contains(cpu))
            result.add(cpu, 0, cpu);
    result.finish();
}

void read_synthetic(topology& result, const synthetic_shape& shape) noexcept {
    result.begin(topology_source::synthetic);
    int cpu = 0;
    for (int socket = 0; socket < shape.sockets; ++socket)
        for (int core = 0; core < shape.cores; ++core)
            for (int thread = 0; thread < shape.threads; ++thread)
                result.add(cpu++, socket, core, core * shape.numa / shape.cores);
    result.finish();
}

bool read_sysfs(topology& result, const char* root, const cpu_mask& usable) noexcept {
    result.begin(topology_source::sysfs);
    path_buffer path;
    int numa = 0;
    for (int cpu = 0; cpu < cpu_mask::capacity; ++cpu) {
        if (!usable.contains(cpu))
            continue;
        path.clear();
        path.append(root).append("/cpu").append(cpu).append("/topology");
        if (path.valid())
            add_described_cpu(result, path, cpu, numa);
    }
    return result.finish();
}

}  // namespace teff
