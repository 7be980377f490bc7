// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of cores and shared caches in file trees that the tests write.
#include <teff/machine/cpu_groups.hpp>

#include <teff/machine/machine_topology.hpp>

#include <gtest/gtest.h>
#include <tests/fixture_tree.hpp>

#include <string>
#include <vector>

namespace {

teff::cpu_mask first_cpus(int count) {
    teff::cpu_mask cpus;
    for (int cpu = 0; cpu < count; ++cpu)
        cpus.add(cpu);
    return cpus;
}

std::vector<int> of(const teff::cpu_mask& cpus) {
    std::vector<int> found;
    for (int cpu = 0; cpu < teff::cpu_mask::capacity; ++cpu)
        if (cpus.contains(cpu))
            found.push_back(cpu);
    return found;
}

class core_kinds : public testing::Test {
protected:
    teff::core_kinds read(int cpus) const { return teff::read_core_kinds(tree_.root().c_str(), first_cpus(cpus)); }
    void set_capacity(int cpu, int capacity) {
        tree_.write("/system/cpu/cpu" + std::to_string(cpu) + "/cpu_capacity", std::to_string(capacity) + "\n");
    }

    teff::testing::fixture_tree tree_;
};

TEST_F(core_kinds, are_one_where_nothing_tells) {
    const teff::core_kinds kinds = read(3);
    EXPECT_EQ(kinds.count, 1);
    EXPECT_EQ(of(kinds.cpus[0]), (std::vector{0, 1, 2}));
}

TEST_F(core_kinds, are_the_capacities_the_slowest_first) {
    set_capacity(0, 446);
    set_capacity(1, 1024);
    set_capacity(2, 446);
    set_capacity(3, 871);
    const teff::core_kinds kinds = read(5);
    ASSERT_EQ(kinds.count, 3);
    EXPECT_EQ(of(kinds.cpus[0]), (std::vector{0, 2, 4}));  // 4 is not described
    EXPECT_EQ(of(kinds.cpus[1]), std::vector{3});
    EXPECT_EQ(of(kinds.cpus[2]), std::vector{1});
}

TEST_F(core_kinds, beyond_the_most_count_as_one) {
    for (int cpu = 0; cpu < 6; ++cpu)
        set_capacity(cpu, 100 * (cpu + 1));
    const teff::core_kinds kinds = read(6);
    ASSERT_EQ(kinds.count, teff::core_kinds::most);
    EXPECT_EQ(of(kinds.cpus[3]), (std::vector{3, 4, 5}));
}

TEST_F(core_kinds, are_the_lists_of_a_hybrid_processor) {
    tree_.write("/cpu_core/cpus", "0-3\n");
    tree_.write("/cpu_atom/cpus", "4-5,7\n");
    const teff::core_kinds kinds = read(8);
    ASSERT_EQ(kinds.count, 2);
    EXPECT_EQ(of(kinds.cpus[0]), (std::vector{4, 5, 6, 7}));
    EXPECT_EQ(of(kinds.cpus[1]), (std::vector{0, 1, 2, 3}));
}

TEST_F(core_kinds, are_those_of_the_usable_cpus) {
    tree_.write("/cpu_core/cpus", "0-3\n");
    tree_.write("/cpu_atom/cpus", "4-7\n");
    EXPECT_EQ(read(4).count, 1);
}

TEST_F(core_kinds, of_this_machine_are_all_of_its_cpus) {
    const teff::core_kinds kinds = teff::core_kinds_of_machine();
    int sum = 0;
    for (int kind = 0; kind < kinds.count; ++kind)
        sum += kinds.cpus[static_cast<std::size_t>(kind)].count();
    EXPECT_EQ(sum, teff::cpu_mask::of_calling_thread().count());
}

void write_cache(const teff::testing::fixture_tree& tree, int cpu, int index, int level, const std::string& shared) {
    const std::string folder = "/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index);
    tree.write(folder + "/level", std::to_string(level) + "\n");
    tree.write(folder + "/shared_cpu_list", shared + "\n");
}

TEST(last_level_cache, is_the_one_with_the_highest_level) {
    const teff::testing::fixture_tree tree;
    for (int cpu = 0; cpu < 4; ++cpu) {
        write_cache(tree, cpu, 0, 1, std::to_string(cpu));
        write_cache(tree, cpu, 1, 3, cpu < 2 ? "0-1" : "2-3");
        write_cache(tree, cpu, 2, 2, std::to_string(cpu));
    }
    for (int cpu = 0; cpu < 4; ++cpu)
        EXPECT_EQ(teff::last_level_cache_of(tree.root().c_str(), cpu), cpu < 2 ? 0 : 2);
}

TEST(last_level_cache, is_unknown_without_a_description) {
    const teff::testing::fixture_tree tree;
    EXPECT_EQ(teff::last_level_cache_of(tree.root().c_str(), 0), -1);
    tree.write("/cpu0/cache/index0/level", "3\n");
    EXPECT_EQ(teff::last_level_cache_of(tree.root().c_str(), 0), -1);
    EXPECT_EQ(teff::last_level_cache_of("/nowhere", 0), -1);
}

TEST(last_level_cache, of_this_machine_is_shared_by_the_cpu_itself) {
    const int first = teff::last_level_cache_of(teff::sysfs_cpu_root, 0);
    EXPECT_TRUE(first == -1 || first == 0);
}

}  // namespace
