// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Determines the topology once, from the sources. The object is static and constant-initialised, so that it outlives
// every user. A chosen shape reaches the initialisation packed into one word, because pthread_once passes no argument.
#include <teff/machine/machine_topology.hpp>

#include <teff/base/atomic.hpp>
#include <teff/machine/text_file.hpp>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <pthread.h>
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

// The core needs no library but the C library, so what hwloc says comes from libteff.so, if it is built with hwloc and
// loaded before the first call. Otherwise this is a null pointer.
[[gnu::weak]] bool read_hwloc(topology& result, const cpu_mask& usable) noexcept;

namespace {

constinit topology the_topology;
pthread_once_t search = PTHREAD_ONCE_INIT;

constexpr unsigned field_bits = 16;
static_assert(max_topology_cpus < 1 << field_bits);

// 0: nothing was chosen.
constinit atomic<std::uint64_t> chosen{0};

std::uint64_t packed(const synthetic_shape& shape) noexcept {
    return static_cast<std::uint64_t>(shape.numa) << (3 * field_bits) |
           static_cast<std::uint64_t>(shape.sockets) << (2 * field_bits) |
           static_cast<std::uint64_t>(shape.cores) << field_bits | static_cast<std::uint64_t>(shape.threads);
}

synthetic_shape unpacked(std::uint64_t word) noexcept {
    constexpr std::uint64_t field = (1U << field_bits) - 1;
    return {static_cast<int>(word >> (2 * field_bits) & field), static_cast<int>(word >> field_bits & field),
            static_cast<int>(word & field), static_cast<int>(word >> (3 * field_bits))};
}

std::optional<synthetic_shape> wanted_shape() noexcept {
    // relaxed: the word is the whole message; it publishes no other data.
    const std::uint64_t word = chosen.load(std::memory_order_relaxed);
    if (word != 0)
        return unpacked(word);
    // secure_getenv: a program that runs with more rights than its user must ignore the user's environment.
    const char* const variable = ::secure_getenv("TEFF_TOPOLOGY");
    return variable == nullptr ? std::nullopt : parse_synthetic_shape(variable);
}

void find_topology() noexcept {
    if (const auto shape = wanted_shape()) {
        read_synthetic(the_topology, *shape);
        return;
    }
    const cpu_mask usable = cpu_mask::of_calling_thread();
    if (read_sysfs(the_topology, sysfs_cpu_root, usable))
        return;
    if (read_hwloc != nullptr && read_hwloc(the_topology, usable))
        return;
    read_flat(the_topology, usable);
}

}  // namespace

const topology& machine_topology() noexcept {
    ::pthread_once(&search, [] { find_topology(); });
    return the_topology;
}

bool choose_machine_topology(const synthetic_shape& shape) noexcept {
    std::uint64_t nothing = 0;
    const std::uint64_t wanted = packed(shape);
    // relaxed, both: as in wanted_shape(). pthread_once orders the accesses to the topology itself.
    if (!chosen.compare_exchange_strong(nothing, wanted, std::memory_order_relaxed, std::memory_order_relaxed) &&
        nothing != wanted)
        return false;
    const topology& in_use = machine_topology();
    const long cores = static_cast<long>(shape.sockets) * shape.cores;
    return in_use.source() == topology_source::synthetic && in_use.socket_count() == shape.sockets &&
           in_use.core_count() == cores && in_use.cpu_count() == cores * shape.threads &&
           in_use.numa_count() == shape.sockets * shape.numa;
}

}  // namespace teff
