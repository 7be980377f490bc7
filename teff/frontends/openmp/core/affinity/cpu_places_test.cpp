// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places of imagined machines.
#include <teff/frontends/openmp/core/affinity/cpu_places.hpp>

#include <teff/machine/machine_topology.hpp>

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace {

using namespace teff::openmp;
using teff::cpu_mask;

std::map<std::string, std::string> variables_of_machine;

// Two sockets with two NUMA domains each, with four cores in each socket, of two threads each. Four processors share a
// cache.
place_lists places(std::map<std::string, std::string> set, const std::vector<int>& without = {}) {
    teff::topology machine;
    teff::read_synthetic(machine, {.sockets = 2, .cores = 4, .threads = 2, .numa = 2});
    cpu_mask usable;
    for (int cpu = 0; cpu < 16; ++cpu)
        usable.add(cpu);
    for (const int cpu : without)
        usable.remove(cpu);
    variables_of_machine = std::move(set);
    environment::reading settings;
    environment::read(settings, [](const char* name) noexcept -> const char* {
        const auto found = variables_of_machine.find(name);
        return found == variables_of_machine.end() ? nullptr : found->second.c_str();
    });
    environment::resolve(settings, 16);
    return make_places(settings, machine, usable, [](int cpu) noexcept { return cpu / 4; });
}
std::string text_of(const place_lists& lists) {
    std::string text;
    for (const auto& place : lists) {
        text += text.empty() ? "{" : " {";
        for (std::size_t each = 0; each < place.size(); ++each)
            text += (each == 0 ? "" : ",") + std::to_string(place[each]);
        text += "}";
    }
    return text;
}

TEST(openmp_cpu_places, there_are_none_unless_asked_for) {
    EXPECT_TRUE(places({}).empty());
    EXPECT_TRUE(places({{"OMP_PROC_BIND", "false"}}).empty());
    EXPECT_TRUE(places({{"KMP_AFFINITY", "none"}}).empty());
    EXPECT_TRUE(places({{"KMP_AFFINITY", "disabled"}}).empty());
    EXPECT_EQ(places({{"OMP_PROC_BIND", "close"}}).size(), 8);
}

TEST(openmp_cpu_places, of_a_kind_are_in_the_order_of_the_machine) {
    EXPECT_EQ(text_of(places({{"OMP_PLACES", "threads(5)"}})), "{0} {1} {2} {3} {4}");
    EXPECT_EQ(text_of(places({{"OMP_PLACES", "cores(3)"}})), "{0,1} {2,3} {4,5}");
    EXPECT_EQ(text_of(places({{"OMP_PLACES", "sockets"}})), "{0,1,2,3,4,5,6,7} {8,9,10,11,12,13,14,15}");
    EXPECT_EQ(text_of(places({{"OMP_PLACES", "numa_domains"}})), "{0,1,2,3} {4,5,6,7} {8,9,10,11} {12,13,14,15}");
    EXPECT_EQ(text_of(places({{"OMP_PLACES", "ll_caches(2)"}})), "{0,1,2,3} {4,5,6,7}");
    EXPECT_EQ(places({{"OMP_PLACES", "threads"}}).size(), 16);
    EXPECT_EQ(places({{"OMP_PLACES", "cores(99)"}}).size(), 8);
}

TEST(openmp_cpu_places, lists_lose_what_cannot_be_used) {
    EXPECT_EQ(text_of(places({{"OMP_PLACES", "{3,1},{15:3},{0}"}})), "{3,1} {15} {0}");
    EXPECT_EQ(text_of(places({{"OMP_PLACES", "{0:2}:4:2"}}, {2, 3, 4})), "{0,1} {5} {6,7}");
    EXPECT_TRUE(places({{"OMP_PLACES", "{40},{50}"}}).empty());
}

TEST(openmp_cpu_places, older_variables_count_if_there_is_no_newer_one) {
    EXPECT_EQ(text_of(places({{"GOMP_CPU_AFFINITY", "4 1-2 8-12:2"}})), "{4} {1} {2} {8} {10} {12}");
    EXPECT_EQ(text_of(places({{"GOMP_CPU_AFFINITY", "4"}, {"OMP_PLACES", "{7}"}})), "{7}");
    EXPECT_EQ(places({{"KMP_AFFINITY", "granularity=thread,compact"}}).size(), 16);
    EXPECT_EQ(places({{"KMP_AFFINITY", "granularity=socket,scatter"}}).size(), 2);
    EXPECT_EQ(text_of(places({{"KMP_AFFINITY", "explicit,proclist=[3,{1,2}]"}})), text_of({{3}, {1, 2}}));
    EXPECT_EQ(places({{"KMP_AFFINITY", "granularity=thread,compact"}, {"OMP_PROC_BIND", "true"}}).size(), 8);
}

TEST(openmp_cpu_places, are_made_of_a_subset_of_the_hardware) {
    const auto subset = [](const char* wanted, const char* kind) {
        return text_of(places({{"KMP_HW_SUBSET", wanted}, {"OMP_PLACES", kind}}));
    };
    EXPECT_EQ(subset("1s,2c,1t", "threads"), "{0} {2}");
    EXPECT_EQ(subset("1t,1s,2c", "cores"), "{0} {2}");
    EXPECT_EQ(subset("1s@1,2c@1", "cores"), "{10,11} {12,13}");
    EXPECT_EQ(subset("1t@1", "sockets"), "{1,3,5,7} {9,11,13,15}");
    EXPECT_EQ(subset(":1s,3t@2", "threads"), "{2} {3} {4}");
    EXPECT_EQ(subset("9s@5", "sockets"), "{0,1,2,3,4,5,6,7} {8,9,10,11,12,13,14,15}");
}

}  // namespace
