// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parser of synthetic descriptions, and the table of a topology: how its rows are numbered and ordered.
#include <teff/machine/topology.hpp>

#include <teff/machine/text.hpp>

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace teff {
namespace {

constexpr bool separates(char character) noexcept { return is_blank(character) || character == ','; }

// Cuts the next word off `rest`. Returns an empty view if there is none left.
std::string_view take_word(std::string_view& rest) noexcept {
    while (!rest.empty() && separates(rest.front()))
        rest.remove_prefix(1);
    std::size_t length = 0;
    while (length < rest.size() && !separates(rest[length]))
        ++length;
    const std::string_view word(rest.data(), length);
    rest.remove_prefix(length);
    return word;
}

int* part_named(synthetic_shape& shape, std::string_view name) noexcept {
    if (name == "sockets")
        return &shape.sockets;
    if (name == "cores")
        return &shape.cores;
    if (name == "threads")
        return &shape.threads;
    if (name == "numa")
        return &shape.numa;
    return nullptr;
}

}  // namespace

std::optional<synthetic_shape> parse_synthetic_shape(std::string_view text) noexcept {
    if (text.size() > max_synthetic_text)
        return std::nullopt;
    synthetic_shape shape{0, 0, 0, 0};
    bool any = false;
    for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
        int* const part = part_named(shape, take_until(word, ':'));
        const auto count = parse_number(word);
        if (part == nullptr || *part != 0 || !count || *count < 1 || *count > max_topology_cpus)
            return std::nullopt;
        *part = static_cast<int>(*count);
        any = true;
    }
    if (!any)
        return std::nullopt;
    long cpus = 1;
    for (int* const part : {&shape.sockets, &shape.cores, &shape.threads}) {
        if (*part == 0)
            *part = 1;
        cpus *= *part;
    }
    if (shape.numa == 0)
        shape.numa = 1;
    if (cpus > max_topology_cpus || shape.cores % shape.numa != 0)
        return std::nullopt;
    return shape;
}

const char* name_of(proximity distance) noexcept {
    switch (distance) {
    case proximity::same_core: return "same_core";
    case proximity::same_socket: return "same_socket";
    case proximity::other_socket: break;
    }
    return "other_socket";
}

const char* name_of(topology_source source) noexcept {
    switch (source) {
    case topology_source::sysfs: return "sysfs";
    case topology_source::hwloc: return "hwloc";
    case topology_source::synthetic: return "synthetic";
    case topology_source::flat: break;
    }
    return "flat";
}

const topology::place* topology::find(int cpu) const noexcept {
    const auto* const end = places_.data() + cpu_count();
    const auto* const found = std::find_if(places_.data(), end, [cpu](const place& each) { return each.cpu == cpu; });
    return found == end ? nullptr : found;
}

proximity topology::between(int cpu_a, int cpu_b) const noexcept {
    if (cpu_a == cpu_b)
        return proximity::same_core;
    const place* const a = find(cpu_a);
    const place* const b = find(cpu_b);
    return a == nullptr || b == nullptr ? proximity::other_socket : of_places(*a, *b);
}

void topology::begin(topology_source source) noexcept {
    last_ = -1;
    source_ = source;
}

void topology::add(int cpu, int socket_key, int core_key, int numa_key) noexcept {
    if (cpu >= 0 && cpu_count() < max_topology_cpus)
        places_[static_cast<std::size_t>(++last_)] = {cpu, core_key, socket_key, numa_key, 0};
}

// Expects the places sorted by socket, NUMA domain, core and CPU. Replaces the keys by numbers without gaps.
void topology::number_places() noexcept {
    place previous_keys = places_[0];
    place current{};
    for (int index = 0; index <= last_; ++index) {
        place& each = places_[static_cast<std::size_t>(index)];
        const place keys = each;
        const bool new_socket = keys.socket != previous_keys.socket;
        const bool new_numa = new_socket || keys.numa != previous_keys.numa;
        const bool new_core = new_numa || keys.core != previous_keys.core;
        current.socket += new_socket ? 1 : 0;
        current.numa += new_numa ? 1 : 0;
        current.core += new_core ? 1 : 0;
        current.thread = new_core || index == 0 ? 0 : current.thread + 1;
        each = {keys.cpu, current.core, current.socket, current.numa, current.thread};
        previous_keys = keys;
    }
    last_core_ = current.core;
    last_socket_ = current.socket;
    last_numa_ = current.numa;
}

bool topology::finish() noexcept {
    if (last_ < 0) {
        *this = topology();
        return false;
    }
    place* const begin = places_.data();
    place* const end = begin + cpu_count();
    std::sort(begin, end, [](const place& a, const place& b) {
        return std::tie(a.socket, a.numa, a.core, a.cpu) < std::tie(b.socket, b.numa, b.core, b.cpu);
    });
    number_places();
    std::sort(begin, end, [](const place& a, const place& b) {
        return std::tie(a.thread, a.core) < std::tie(b.thread, b.core);
    });
    return true;
}

}  // namespace teff
