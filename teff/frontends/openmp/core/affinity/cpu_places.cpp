// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts the machine's processors by sockets, cores and threads, removes those that KMP_HW_SUBSET excludes, and groups
// the rest.
#include <teff/frontends/openmp/core/affinity/cpu_places.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/frontends/openmp/core/environment/warning.hpp>
#include <teff/machine/cpu_groups.hpp>
#include <teff/machine/machine_topology.hpp>

#include <algorithm>
#include <new>
#include <utility>

namespace teff::openmp {
namespace {

using environment::affinity_text;
using environment::hardware_subset;
using environment::place_kind;
using environment::places_text;
using environment::reading;

struct processor {
    int cpu;
    int socket;
    int numa;
    int core;
};

// The processors in the order of the machine: first by socket, then by NUMA node, then by core.
std::vector<processor> processors_of(const topology& machine) {
    std::vector<processor> all;
    const auto key = [](const processor& each) { return std::pair(std::pair(each.socket, each.numa), each.core); };
    const auto is_before = [&](const processor& one, const processor& other) { return key(one) < key(other); };
    for (unsigned worker = 0; worker < static_cast<unsigned>(machine.cpu_count()); ++worker) {
        const processor each{machine.cpu_of_worker(worker), machine.socket_of_worker(worker),
                             machine.numa_of_worker(worker), machine.core_of_worker(worker)};
        // The processors of a core keep the order of their workers. (Clang warns of GCC's std::stable_sort.)
        all.insert(std::upper_bound(all.begin(), all.end(), each, is_before), each);
    }
    return all;
}

bool is_inside(const hardware_subset::part& part, long index) noexcept {
    return index >= part.offset && (part.count == 0 || index < part.offset + part.count);
}

// The processors whose socket, core in the socket, and thread in the core are wanted.
std::vector<processor> subset_of(const std::vector<processor>& all, const hardware_subset& wanted) {
    std::vector<processor> kept;
    long socket = -1, core = 0, thread = 0;
    const processor* before = nullptr;
    for (const processor& each : all) {
        if (before == nullptr || each.socket != before->socket) {
            ++socket;
            core = thread = 0;
        } else if (each.core != before->core) {
            ++core;
            thread = wanted.is_through_cores ? thread + 1 : 0;
        } else {
            ++thread;
        }
        before = &each;
        if (is_inside(wanted.sockets, socket) && is_inside(wanted.cores, core) && is_inside(wanted.threads, thread))
            kept.push_back(each);
    }
    return kept;
}

// Makes one place of all processors with the same key. The places are in the order of their first processors.
template <class Key>
place_lists grouped(const std::vector<processor>& all, Key&& key_of) {
    place_lists places;
    std::vector<int> keys;
    for (const processor& each : all) {
        const int key = key_of(each);
        const auto found = std::find(keys.begin(), keys.end(), key) - keys.begin();
        if (static_cast<std::size_t>(found) == keys.size()) {
            keys.push_back(key);
            places.emplace_back();
        }
        places[static_cast<std::size_t>(found)].push_back(each.cpu);
    }
    for (std::vector<int>& place : places)
        std::sort(place.begin(), place.end());
    return places;
}

place_lists places_of_kind(const std::vector<processor>& all, place_kind kind, int (*cache_of)(int) noexcept) {
    switch (kind) {
    case place_kind::threads:
        return grouped(all, [](const processor& each) { return each.cpu; });
    case place_kind::sockets:
        return grouped(all, [](const processor& each) { return each.socket; });
    case place_kind::numa_domains:
        return grouped(all, [](const processor& each) { return each.numa; });
    case place_kind::ll_caches:
        // Processors whose caches are unknown make one place per socket; the numbers of caches are not negative.
        return grouped(all, [=](const processor& each) {
            const int cache = cache_of(each.cpu);
            return cache >= 0 ? cache : -1 - each.socket;
        });
    default:
        return grouped(all, [](const processor& each) { return each.core; });
    }
}

place_lists usable_places(place_lists listed, const cpu_mask& usable) {
    for (std::vector<int>& place : listed)
        std::erase_if(place, [&](int cpu) { return !usable.contains(cpu); });
    std::erase_if(listed, [](const std::vector<int>& place) { return place.empty(); });
    return listed;
}

// Reads the places from the variable of the highest precedence that is set; false: threads are not bound.
bool find_wanted(const reading& settings, places_text& wanted) {
    if (settings.has("OMP_PLACES"))
        return environment::parse_places(settings.text_of("OMP_PLACES"), wanted);
    if (settings.has("GOMP_CPU_AFFINITY"))
        return environment::parse_cpu_list(settings.text_of("GOMP_CPU_AFFINITY"), wanted);
    if (affinity_text old; !settings.has("OMP_PROC_BIND") && settings.has("KMP_AFFINITY") &&
                           environment::parse_kmp_affinity(settings.text_of("KMP_AFFINITY"), old)) {
        if (old.kind == affinity_text::type::none || old.kind == affinity_text::type::disabled)
            return false;
        wanted.kind = old.kind == affinity_text::type::listed ? place_kind::listed : old.granularity;
        wanted.listed = std::move(old.listed);
        return true;
    }
    return settings.values.binds.at[0] != binding::none;
}

struct process_places {
    place_lists all;
    helper_places of_helpers;
    cpu_mask usable;
};
// Lives as long as the process.
constinit process_places* of_process = nullptr;

[[noreturn]] void end_without_memory_for_places() noexcept {
    fatal("OpenMP", "there is no memory for the list of places", "give the process more memory");
}

void warn_of_missing(std::size_t listed, std::size_t left) noexcept {
    if (left == 0)
        warn_of(warning_affinity, "none of the listed places has a processor that the process may use; threads are not "
                                  "bound");
    else if (left != listed)
        warn_of(warning_affinity, "some of the listed places have no processor that the process may use; they are left "
                                  "out");
}

place_lists made_of(places_text&& wanted, const reading& settings, const topology& machine, const cpu_mask& usable,
                    int (*cache_of)(int cpu) noexcept) {
    if (wanted.kind == place_kind::listed)
        return usable_places(std::move(wanted.listed), usable);
    std::vector<processor> all = processors_of(machine);
    if (hardware_subset subset; settings.has("KMP_HW_SUBSET") &&
                                environment::parse_hardware_subset(settings.text_of("KMP_HW_SUBSET"), subset)) {
        std::vector<processor> kept = subset_of(all, subset);
        if (!kept.empty())
            all = std::move(kept);
    }
    place_lists made = places_of_kind(all, wanted.kind, cache_of);
    if (wanted.count != 0 && static_cast<std::size_t>(wanted.count) < made.size())
        made.resize(static_cast<std::size_t>(wanted.count));
    return made;
}

}  // namespace

place_lists make_places(const reading& settings, const topology& machine, const cpu_mask& usable,
                        int (*cache_of)(int cpu) noexcept) {
    places_text wanted;
    return find_wanted(settings, wanted) ? made_of(std::move(wanted), settings, machine, usable, cache_of)
                                         : place_lists();
}

namespace {

int cache_of(int cpu) noexcept { return last_level_cache_of(sysfs_cpu_root, cpu); }

void choose_places_of_helpers(helper_places& made, const reading& settings, const cpu_mask& usable) {
    affinity_text text;
    if (!settings.has("KMP_HIDDEN_HELPER_AFFINITY") ||
        !environment::parse_kmp_affinity(settings.text_of("KMP_HIDDEN_HELPER_AFFINITY"), text))
        return;
    using type = affinity_text::type;
    made.is_verbose = text.is_verbose;
    made.has_large_places = text.granularity != place_kind::threads;
    made.policy = text.kind == type::scatter ? binding::spread : binding::close;
    if (text.kind == type::none || text.kind == type::disabled)
        return;
    places_text wanted;
    wanted.kind = text.kind == type::listed ? place_kind::listed : text.granularity;
    wanted.listed = std::move(text.listed);
    made.all = made_of(std::move(wanted), settings, machine_topology(), usable, &cache_of);
}

}  // namespace

void choose_places(const reading& settings, const cpu_mask& usable) noexcept {
    of_process = create<process_places>();
    if (of_process == nullptr)
        end_without_memory_for_places();
    of_process->usable = usable;
    try {
        choose_places_of_helpers(of_process->of_helpers, settings, usable);
        places_text wanted;
        if (!find_wanted(settings, wanted))
            return;
        const bool is_list = wanted.kind == place_kind::listed;
        const std::size_t listed = wanted.listed.size();
        of_process->all = made_of(std::move(wanted), settings, machine_topology(), usable, &cache_of);
        if (settings.values.warns && is_list)
            warn_of_missing(listed, of_process->all.size());
    } catch (const std::bad_alloc&) {
        end_without_memory_for_places();
    }
}

const place_lists& cpu_places() noexcept { return of_process->all; }
const helper_places& places_of_helpers() noexcept { return of_process->of_helpers; }
const cpu_mask& usable_processors() noexcept { return of_process->usable; }

}  // namespace teff::openmp
