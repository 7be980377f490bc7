// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of memory.hpp on trees of files as the kernel would show them: both versions, ancestors, namespaces, nothing.
#include <cli/bench/memory.hpp>

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

namespace teff::cli {
namespace {

namespace fs = std::filesystem;

class memory : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = testing::TempDir() + "memory_XXXXXX";
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        root_ = pattern;
        write("proc/meminfo", "MemTotal: 4000 kB\nMemAvailable: 2000 kB\n");
    }
    void TearDown() override { fs::remove_all(root_); }

    void write(const std::string& file, const std::string& text) const {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file) << text;
    }
    void write_version_2_mount(const std::string& group, const std::string& own) const {
        write("proc/self/cgroup", "0::" + own + "\n");
        write("proc/self/mountinfo", "30 25 0:26 " + group + " /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n");
    }

    fs::path root_;
};

TEST_F(memory, without_groups_the_machine_decides) {
    const auto free = read_free_memory(root_);
    ASSERT_TRUE(free);
    EXPECT_EQ(free->bytes, 2000U * 1024);
    EXPECT_STREQ(free->bound, "free on this machine");
}

TEST_F(memory, the_tightest_ancestor_decides) {
    write_version_2_mount("/", "/outer/inner");
    write("sys/fs/cgroup/outer/memory.max", "500000\n");
    write("sys/fs/cgroup/outer/memory.current", "200000\n");
    write("sys/fs/cgroup/outer/memory.stat", "anon 100000\ninactive_file 50000\n");
    write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
    write("sys/fs/cgroup/outer/inner/memory.current", "1000\n");
    EXPECT_EQ(read_free_memory(root_)->bytes, 350000U);
}

TEST_F(memory, more_in_use_than_allowed_leaves_nothing) {
    write_version_2_mount("/", "/box");
    write("sys/fs/cgroup/box/memory.max", "1000\n");
    write("sys/fs/cgroup/box/memory.current", "3000\n");
    EXPECT_EQ(read_free_memory(root_)->bytes, 0U);
}

TEST_F(memory, a_mount_that_begins_at_the_own_group) {
    write_version_2_mount("/box", "/box");
    write("sys/fs/cgroup/memory.max", "1000\n");
    write("sys/fs/cgroup/memory.current", "400\n");
    EXPECT_EQ(read_free_memory(root_)->bytes, 600U);
}

TEST_F(memory, version_1_has_names_of_its_own) {
    write("proc/self/cgroup", "5:cpu:/\n4:memory:/box\n0::/\n");
    write("proc/self/mountinfo", "31 25 0:27 / /cg/memory rw shared:2 - cgroup cgroup rw,memory\n");
    write("cg/memory/box/memory.limit_in_bytes", "10000\n");
    write("cg/memory/box/memory.usage_in_bytes", "5000\n");
    write("cg/memory/box/memory.stat", "inactive_file 7\ntotal_inactive_file 1000\n");
    const auto free = read_free_memory(root_);
    ASSERT_TRUE(free);
    EXPECT_EQ(free->bytes, 6000U);
    EXPECT_STREQ(free->bound, "left by the control group's limit");
}

TEST_F(memory, malformed_files_set_no_limit) {
    write_version_2_mount("/", "/box");
    write("sys/fs/cgroup/box/memory.max", "plenty\n");
    write("sys/fs/cgroup/box/memory.current", "\n");
    EXPECT_EQ(read_free_memory(root_)->bytes, 2000U * 1024);
    EXPECT_FALSE(read_free_memory(root_ / "nowhere"));
}

TEST_F(memory, a_refusal_says_how_much_of_what) {
    const free_memory free{1024, "free on this machine"};
    EXPECT_FALSE(refusal(1024, free));
    EXPECT_FALSE(refusal(1ULL << 40, std::nullopt));
    EXPECT_EQ(*refusal(2048, free), "refused: needs about 2.0 KiB, more than the 1.0 KiB free on this machine");
}

}  // namespace
}  // namespace teff::cli
