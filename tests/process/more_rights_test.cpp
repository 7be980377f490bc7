// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that runs with more rights than its user: whoever starts it must not choose files that it writes. As root
// the test makes the sample program set-user-ID, and runs it as another user; elsewhere it is skipped.
#include <tests/child_process.hpp>
#include <tests/fixture_tree.hpp>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

namespace teff::testing {
namespace {

namespace fs = std::filesystem;

constexpr uid_t owner = 65533, starter = 65532;

class more_rights : public ::testing::Test {
protected:
    void SetUp() override {
        if (::geteuid() != 0)
            GTEST_SKIP() << "needs root, to make a program set-user-ID";
        std::string pattern = ::testing::TempDir() + "more_rights_XXXXXX";
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
        fs::permissions(folder_, fs::perms(0755));
        struct statvfs system{};
        ASSERT_EQ(::statvfs(folder_.c_str(), &system), 0);
        if ((system.f_flag & ST_NOSUID) != 0)
            GTEST_SKIP() << folder_ << " is mounted with nosuid";
        fs::copy_file(TEFF_TEST_RECORDS, program());
        // Both may write there.
        fs::create_directory(folder_ / "open");
        fs::permissions(folder_ / "open", fs::perms(0777));
    }
    void TearDown() override {
        if (!folder_.empty())
            fs::remove_all(folder_);
    }

    [[nodiscard]] fs::path program() const { return folder_ / "program"; }
    [[nodiscard]] std::string text(const char* name) const {
        std::ifstream stream(folder_ / name);
        return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    }
    void set_rights(mode_t mode) const {
        ASSERT_EQ(::chown(program().c_str(), owner, owner), 0);
        ASSERT_EQ(::chmod(program().c_str(), mode), 0);
    }
    // What the program prints: whether it has more rights. Its files are open/trace.json and open/graph.json.
    [[nodiscard]] std::string run() const {
        const std::string output = folder_ / "open/output";
        const child_outcome outcome = run_in_child([&] {
            ::setenv("TEFF_TRACE", (folder_ / "open/trace.json").c_str(), 1);
            ::setenv("TEFF_DATAFLOW_GRAPH", (folder_ / "open/graph.json").c_str(), 1);
            if (::setgid(starter) != 0 || ::setuid(starter) != 0 ||
                std::freopen(output.c_str(), "w", stdout) == nullptr)
                ::_exit(1);
            ::execl(program().c_str(), program().c_str(), nullptr);
            ::_exit(2);
        });
        EXPECT_EQ(outcome.errors, "");
        return outcome.code() == 0 ? text("open/output") : "status " + std::to_string(outcome.code());
    }

private:
    fs::path folder_;
};

TEST_F(more_rights, variables_name_no_files) {
    set_rights(0755);
    const std::string plain = run();
    if (plain != "usual rights\n")
        GTEST_SKIP() << "another user cannot run the program with the library of this build: " << plain;
    EXPECT_TRUE(text("open/trace.json").ends_with("]}\n"));
    EXPECT_TRUE(text("open/graph.json").ends_with("]}\n"));
    for (const char* name : {"open/trace.json", "open/graph.json", "open/output"})
        fs::remove(program().parent_path() / name);
    set_rights(04755);
    const std::string raised = run();
    if (raised == "usual rights\n")
        GTEST_SKIP() << "this system gives a set-user-ID program no more rights";
    ASSERT_EQ(raised, "more rights\n");
    EXPECT_FALSE(fs::exists(program().parent_path() / "open/trace.json"));
    EXPECT_FALSE(fs::exists(program().parent_path() / "open/graph.json"));
    // And nothing else is there either.
    EXPECT_EQ(std::distance(fs::directory_iterator(program().parent_path() / "open"), {}), 1);
}

}  // namespace
}  // namespace teff::testing
