// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lines of the control group files, well-formed and malformed.
#include <teff/machine/cgroup.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using teff::cgroup_version;
using teff::group_below;
using teff::no_cpu_quota;
using teff::parse_cgroup_line;
using teff::parse_cpu_max;
using teff::parse_mount_line;
using teff::parse_quota;

TEST(cgroup_text, finds_the_group_of_either_version) {
    const auto two = parse_cgroup_line("0::/user.slice/a:b", "cpu");
    ASSERT_TRUE(two);
    EXPECT_EQ(two->version, cgroup_version::v2);
    EXPECT_EQ(two->path, "/user.slice/a:b");
    EXPECT_TRUE(parse_cgroup_line("4:memory:/x", "memory"));
    for (const char* line : {"4:cpu,cpuacct:/x", "4:cpuacct,cpu:/x", "12:cpu:/x"}) {
        const auto one = parse_cgroup_line(line, "cpu");
        ASSERT_TRUE(one) << line;
        EXPECT_EQ(one->version, cgroup_version::v1);
        EXPECT_EQ(one->path, "/x");
    }
}

TEST(cgroup_text, ignores_other_controllers_and_malformed_group_lines) {
    for (const char* line : {"", ":", "::", "0", "0:", "0::", "0::x", "x::/x", "5:cpuset:/x", "5:cpuacct:/x",
                             "1:name=cpu:/x", "5::/x", "-:cpu:/x", "cpu:/x"})
        EXPECT_FALSE(parse_cgroup_line(line, "cpu")) << line;
}

TEST(cgroup_text, finds_mounts_of_either_version) {
    const auto two = parse_mount_line("41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw", "cpu");
    ASSERT_TRUE(two);
    EXPECT_EQ(two->version, cgroup_version::v2);
    EXPECT_EQ(two->root, "/");
    EXPECT_EQ(two->point, "/sys/fs/cgroup/unified");
    const auto one = parse_mount_line("32 31 0:29 /a /cg rw shared:9 master:2 - cgroup cgroup rw,cpu,cpuacct", "cpu");
    ASSERT_TRUE(one);
    EXPECT_EQ(one->version, cgroup_version::v1);
    EXPECT_EQ(one->root, "/a");
    EXPECT_EQ(one->point, "/cg");
}

TEST(cgroup_text, ignores_other_and_malformed_mounts) {
    for (const char* line : {"", "-", "1 2 3", "1 2 0:3 / /x rw - ext4 /dev/sda rw",
                             "1 2 0:3 / /x rw - cgroup cgroup rw,cpuset", "1 2 0:3 / /x rw cgroup2 cgroup2 rw",
                             "1 2 0:3 x /x rw - cgroup2 cgroup2 rw",
                             "1 2 0:3 / x rw - cgroup2 cgroup2 rw", "1 2 0:3 / /x rw -"})
        EXPECT_FALSE(parse_mount_line(line, "cpu")) << line;
}

std::string unescaped(std::string_view text) {
    teff::path_buffer path;
    teff::append_unescaped(path, text);
    return path.valid() ? std::string(path.view()) : "invalid";
}

TEST(cgroup_text, resolves_octal_escapes) {
    EXPECT_EQ(unescaped("/a\\040b\\134c"), "/a b\\c");
    EXPECT_EQ(unescaped("/a\\04"), "/a\\04");
    EXPECT_EQ(unescaped("/a\\089"), "/a\\089");
    EXPECT_EQ(unescaped("\\000"), "invalid");
}

TEST(cgroup_text, places_a_group_below_the_root_of_a_mount) {
    EXPECT_EQ(group_below("/", "/"), "");
    EXPECT_EQ(group_below("/", "/a/b"), "/a/b");
    EXPECT_EQ(group_below("/a", "/a"), "");
    EXPECT_EQ(group_below("/a", "/a/b"), "/b");
    EXPECT_EQ(group_below("/a", "/ab"), std::nullopt);
    EXPECT_EQ(group_below("/a/b", "/a"), std::nullopt);
    EXPECT_EQ(group_below("/..", "/"), std::nullopt);
    EXPECT_EQ(group_below("/", "/../other"), std::nullopt);
    EXPECT_EQ(group_below("/", "/a..b"), "/a..b");
}

TEST(cgroup_text, rounds_a_quota_up_to_whole_cpus) {
    EXPECT_EQ(parse_quota("100000", "100000"), 1U);
    EXPECT_EQ(parse_quota("100001", "100000"), 2U);
    EXPECT_EQ(parse_quota("1000", "100000"), 1U);
    EXPECT_EQ(parse_quota(" 250000\n", "100000 "), 3U);
    EXPECT_EQ(parse_quota("9223372036854775807", "1"), 1U << 30);
}

TEST(cgroup_text, anything_else_is_no_quota) {
    for (const char* quota : {"", "-1", "0", "max", "1.5", "99999999999999999999", "100 000"})
        EXPECT_EQ(parse_quota(quota, "100000"), no_cpu_quota) << quota;
    for (const char* period : {"", "-1", "0", "x"})
        EXPECT_EQ(parse_quota("100000", period), no_cpu_quota) << period;
}

TEST(cgroup_text, reads_the_line_of_cpu_max) {
    EXPECT_EQ(parse_cpu_max("max 100000"), no_cpu_quota);
    EXPECT_EQ(parse_cpu_max("150000 100000"), 2U);
    for (const char* line : {"", "max", "150000", "150000 ", "150000 0", "a b", "150000 100000 7"})
        EXPECT_EQ(parse_cpu_max(line), no_cpu_quota) << line;
}

}  // namespace
