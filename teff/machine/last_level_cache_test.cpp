// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On file trees that imitate sysfs.
#include <teff/machine/last_level_cache.hpp>

#include <teff/machine/topology_sources.hpp>
#include <tests/fixture_tree.hpp>

#include <string>

namespace {

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
