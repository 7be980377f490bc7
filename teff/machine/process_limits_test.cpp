// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotas and free memory in trees of control groups that the tests write, of both versions and side by side; the
// default number of threads.
#include <teff/machine/process_limits.hpp>

#include <tests/fixture_tree.hpp>

#include <optional>
#include <string>

namespace {

using teff::no_cpu_quota;

class cpu_quota : public ::testing::Test {
protected:
    void groups(std::string_view content) const { tree_.write("/proc/cgroup", content); }
    void mounts(std::string_view content) const { tree_.write("/proc/mountinfo", content); }
    void v2_limit(const std::string& group, std::string_view line) const {
        tree_.write("/cg2" + group + "/cpu.max", std::string(line) + "\n");
    }
    void v1_limit(const std::string& group, std::string_view quota) const {
        tree_.write("/cg1" + group + "/cpu.cfs_quota_us", std::string(quota) + "\n");
        tree_.write("/cg1" + group + "/cpu.cfs_period_us", "100000\n");
    }
    unsigned quota() const {
        const std::string group_file = tree_.at("/proc/cgroup");
        const std::string mount_file = tree_.at("/proc/mountinfo");
        return teff::cpu_quota({group_file.c_str(), mount_file.c_str(), tree_.root().c_str()});
    }

    static constexpr const char* v1_mount = "32 31 0:29 / /cg1 rw - cgroup cgroup rw,cpu,cpuacct\n";
    static constexpr const char* v2_mount = "41 31 0:38 / /cg2 rw - cgroup2 cgroup2 rw\n";
    teff::testing::fixture_tree tree_;
};

TEST_F(cpu_quota, version_2_own_group) {
    groups("0::/a/b\n");
    mounts(v2_mount);
    v2_limit("/a/b", "250000 100000");
    EXPECT_EQ(quota(), 3U);
}

TEST_F(cpu_quota, version_2_ancestor_is_tighter_than_the_leaf) {
    groups("0::/a/b/c\n");
    mounts(v2_mount);
    v2_limit("/a/b/c", "800000 100000");
    v2_limit("/a/b", "max 100000");
    v2_limit("/a", "200000 100000");
    EXPECT_EQ(quota(), 2U);
}

TEST_F(cpu_quota, version_2_leaf_is_tighter_than_the_ancestor) {
    groups("0::/a/b\n");
    mounts(v2_mount);
    v2_limit("/a/b", "100000 100000");
    v2_limit("/a", "400000 100000");
    EXPECT_EQ(quota(), 1U);
}

TEST_F(cpu_quota, a_limit_on_the_mount_point_itself_counts) {
    groups("0::/\n");
    mounts(v2_mount);
    v2_limit("", "500000 100000");
    EXPECT_EQ(quota(), 5U);
    groups("0::/a\n");
    EXPECT_EQ(quota(), 5U);
}

TEST_F(cpu_quota, max_everywhere_is_no_quota) {
    groups("0::/a\n");
    mounts(v2_mount);
    v2_limit("/a", "max 100000");
    v2_limit("", "max 100000");
    EXPECT_EQ(quota(), no_cpu_quota);
}

TEST_F(cpu_quota, version_1_own_group_and_ancestor) {
    groups("4:cpu,cpuacct:/a/b\n3:memory:/m\n");
    mounts(v1_mount);
    v1_limit("/a/b", "-1");
    EXPECT_EQ(quota(), no_cpu_quota);
    v1_limit("/a", "350000");
    EXPECT_EQ(quota(), 4U);
    v1_limit("/a/b", "150000");
    EXPECT_EQ(quota(), 2U);
}

TEST_F(cpu_quota, hybrid_takes_the_tighter_version) {
    groups("4:cpu,cpuacct:/one\n0::/two\n");
    mounts(std::string(v2_mount) + v1_mount);
    v1_limit("/one", "300000");
    EXPECT_EQ(quota(), 3U);
    v2_limit("/two", "200000 100000");
    EXPECT_EQ(quota(), 2U);
    v1_limit("/one", "100000");
    EXPECT_EQ(quota(), 1U);
}

TEST_F(cpu_quota, mount_of_a_part_of_the_hierarchy) {
    // A container without its own namespace: the mount shows only its group, but /proc shows the path from the host's
    // root.
    groups("4:cpu:/docker/abc/inner\n");
    mounts("32 31 0:29 /docker/abc /cg1 rw - cgroup cgroup rw,cpu\n");
    v1_limit("/inner", "400000");
    EXPECT_EQ(quota(), 4U);
    v1_limit("", "200000");
    EXPECT_EQ(quota(), 2U);
}

TEST_F(cpu_quota, mount_root_outside_of_the_namespace) {
    groups("0::/\n");
    mounts("41 31 0:38 /../.. /cg2 rw - cgroup2 cgroup2 rw\n");
    v2_limit("", "200000 100000");
    EXPECT_EQ(quota(), 2U);
}

TEST_F(cpu_quota, group_outside_of_the_namespace) {
    groups("0::/../other\n");
    mounts(v2_mount);
    v2_limit("", "300000 100000");
    tree_.write("/other/cpu.max", "100000 100000\n");
    EXPECT_EQ(quota(), 3U);
}

TEST_F(cpu_quota, the_mount_that_shows_most_ancestors_is_taken) {
    groups("0::/a/b\n");
    tree_.write("/elsewhere/cpu.max", "100000 100000\n");
    v2_limit("/a", "200000 100000");
    tree_.write("/part/b/cpu.max", "max 100000\n");
    const std::string foreign = "50 31 0:38 /z /elsewhere rw - cgroup2 cgroup2 rw\n";
    const std::string part = "51 31 0:38 /a /part rw - cgroup2 cgroup2 rw\n";
    mounts(foreign + part + v2_mount);
    EXPECT_EQ(quota(), 2U);
    mounts(v2_mount + part + foreign);
    EXPECT_EQ(quota(), 2U);
}

TEST_F(cpu_quota, escaped_mount_point) {
    groups("0::/a\n");
    mounts("41 31 0:38 / /with\\040space rw - cgroup2 cgroup2 rw\n");
    tree_.write("/with space/a/cpu.max", "200000 100000\n");
    EXPECT_EQ(quota(), 2U);
}

TEST_F(cpu_quota, a_destroyed_group_leaves_its_ancestors) {
    groups("0::/a/b (deleted)\n");
    mounts(v2_mount);
    v2_limit("/a", "200000 100000");
    EXPECT_EQ(quota(), 2U);
}

TEST_F(cpu_quota, malformed_limits_count_as_none_and_do_not_hide_others) {
    groups("0::/a/b\n");
    mounts(v2_mount);
    v2_limit("/a", "200000 100000");
    for (const char* line : {"", "garbage", "-5 100000", "0 100000", "100000 0", "99999999999999999999999 1"}) {
        v2_limit("/a/b", line);
        EXPECT_EQ(quota(), 2U) << line;
    }
}

TEST_F(cpu_quota, malformed_lists_are_no_quota) {
    v2_limit("/a", "100000 100000");
    groups("0::/a\n");
    mounts("cgroup2\n\n- - -\n41 31 0:38 / /cg2\n");
    EXPECT_EQ(quota(), no_cpu_quota);
    groups("nonsense\n:::\n");
    mounts(v2_mount);
    EXPECT_EQ(quota(), no_cpu_quota);
}

TEST_F(cpu_quota, missing_files_are_no_quota) {
    EXPECT_EQ(quota(), no_cpu_quota);
    groups("0::/a\n");
    EXPECT_EQ(quota(), no_cpu_quota);
    mounts(v2_mount);
    EXPECT_EQ(quota(), no_cpu_quota);
}

TEST_F(cpu_quota, a_path_that_is_too_long_is_no_quota) {
    groups("0::/" + std::string(4000, 'a') + "\n");
    mounts("41 31 0:38 / /" + std::string(3000, 'b') + " rw - cgroup2 cgroup2 rw\n");
    EXPECT_EQ(quota(), no_cpu_quota);
}

TEST(cpu_count, is_the_smaller_of_mask_and_quota_and_at_least_one) {
    teff::cpu_mask mask;
    EXPECT_EQ(teff::default_thread_count(mask, no_cpu_quota), 1U);
    for (int cpu = 0; cpu < 4; ++cpu)
        mask.add(cpu);
    EXPECT_EQ(teff::default_thread_count(mask, no_cpu_quota), 4U);
    EXPECT_EQ(teff::default_thread_count(mask, 2), 2U);
    EXPECT_EQ(teff::default_thread_count(mask, 16), 4U);
    EXPECT_EQ(teff::default_thread_count(mask, 1), 1U);
}

TEST(cpu_count, of_this_process_is_within_its_mask) {
    const unsigned count = teff::default_thread_count();
    EXPECT_GE(count, 1U);
    EXPECT_LE(count, static_cast<unsigned>(teff::cpu_mask::of_calling_thread().count()));
}

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
