// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Free memory on trees of files as the kernel would show them: both versions, ancestors, namespaces, nothing.
#include <teff/machine/free_memory.hpp>

#include <tests/fixture_tree.hpp>

#include <optional>
#include <string>

namespace {

class free_memory : public ::testing::Test {
protected:
    void SetUp() override { tree_.write("/proc/meminfo", "MemTotal: 4000 kB\nMemAvailable: 2000 kB\n"); }

    void write_version_2_mount(const std::string& group, const std::string& own) const {
        tree_.write("/proc/self/cgroup", "0::" + own + "\n");
        tree_.write("/proc/self/mountinfo", "30 25 0:26 " + group + " /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n");
    }
    std::optional<teff::free_memory> read() const {
        const std::string meminfo = tree_.at("/proc/meminfo");
        const std::string groups = tree_.at("/proc/self/cgroup");
        const std::string mounts = tree_.at("/proc/self/mountinfo");
        return teff::read_free_memory({meminfo.c_str(), {groups.c_str(), mounts.c_str(), tree_.root().c_str()}});
    }

    teff::testing::fixture_tree tree_;
};

TEST_F(free_memory, without_groups_the_machine_decides) {
    const auto free = read();
    ASSERT_TRUE(free);
    EXPECT_EQ(free->bytes, 2000U * 1024);
    EXPECT_FALSE(free->is_group_limit);
}

TEST_F(free_memory, the_tightest_ancestor_decides) {
    write_version_2_mount("/", "/outer/inner");
    tree_.write("/sys/fs/cgroup/outer/memory.max", "500000\n");
    tree_.write("/sys/fs/cgroup/outer/memory.current", "200000\n");
    tree_.write("/sys/fs/cgroup/outer/memory.stat", "anon 100000\ninactive_file 50000\n");
    tree_.write("/sys/fs/cgroup/outer/inner/memory.max", "max\n");
    tree_.write("/sys/fs/cgroup/outer/inner/memory.current", "1000\n");
    EXPECT_EQ(read()->bytes, 350000U);
}

TEST_F(free_memory, more_in_use_than_allowed_leaves_nothing) {
    write_version_2_mount("/", "/box");
    tree_.write("/sys/fs/cgroup/box/memory.max", "1000\n");
    tree_.write("/sys/fs/cgroup/box/memory.current", "3000\n");
    EXPECT_EQ(read()->bytes, 0U);
}

TEST_F(free_memory, a_mount_that_begins_at_the_own_group) {
    write_version_2_mount("/box", "/box");
    tree_.write("/sys/fs/cgroup/memory.max", "1000\n");
    tree_.write("/sys/fs/cgroup/memory.current", "400\n");
    EXPECT_EQ(read()->bytes, 600U);
}

TEST_F(free_memory, version_1_has_names_of_its_own) {
    tree_.write("/proc/self/cgroup", "5:cpu:/\n4:memory:/box\n0::/\n");
    tree_.write("/proc/self/mountinfo", "31 25 0:27 / /cg/memory rw shared:2 - cgroup cgroup rw,memory\n");
    tree_.write("/cg/memory/box/memory.limit_in_bytes", "10000\n");
    tree_.write("/cg/memory/box/memory.usage_in_bytes", "5000\n");
    tree_.write("/cg/memory/box/memory.stat", "inactive_file 7\ntotal_inactive_file 1000\n");
    const auto free = read();
    ASSERT_TRUE(free);
    EXPECT_EQ(free->bytes, 6000U);
    EXPECT_TRUE(free->is_group_limit);
}

TEST_F(free_memory, malformed_files_set_no_limit) {
    write_version_2_mount("/", "/box");
    tree_.write("/sys/fs/cgroup/box/memory.max", "plenty\n");
    tree_.write("/sys/fs/cgroup/box/memory.current", "\n");
    EXPECT_EQ(read()->bytes, 2000U * 1024);
    const std::string nowhere = tree_.at("/nowhere");
    EXPECT_FALSE(teff::read_free_memory({nowhere.c_str(), {nowhere.c_str(), nowhere.c_str(), ""}}));
}

// Keys that begin alike are other keys.
TEST_F(free_memory, a_key_is_compared_whole) {
    tree_.write("/proc/meminfo", "MemAvailableSoon: 1 kB\nMemAvailable:    3 kB\n");
    EXPECT_EQ(read()->bytes, 3U * 1024);
}

}  // namespace
