// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The quota, read from file trees that imitate containers of every kind.
#include <teff/machine/cpu_quota.hpp>

#include <teff/machine/cpu_count.hpp>
#include <tests/fixture_tree.hpp>

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

}  // namespace
