// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where programs are found, and with which status they are not.
#include <cli/run/launch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <cli/test_support.hpp>

namespace teff::cli {
namespace {

namespace fs = std::filesystem;

class program_search : public test_in_folder {
protected:
    void SetUp() override {
        for (const char* folder : {"first", "second"})
            fs::create_directories(folder_ / folder);
    }
    fs::path file(const std::string& name, bool is_executable) const {
        std::ofstream(folder_ / name) << "exit 0\n";
        fs::permissions(folder_ / name, is_executable ? fs::perms::owner_all : fs::perms::owner_read);
        return folder_ / name;
    }
    [[nodiscard]] std::string both() const { return folder_ / "first:" += folder_ / "second"; }
};

int status_of(const std::string& name, const std::string& folders, const std::string& reason) {
    try {
        const fs::path found = find_program(name, folders);
        ADD_FAILURE() << "found " << found;
        return 0;
    } catch (const launch_error& error) {
        EXPECT_TRUE(has(error.what(), "'" + name + "'")) << error.what();
        EXPECT_TRUE(has(error.what(), reason));
        return error.status();
    }
}

TEST_F(program_search, the_first_folder_that_has_it_wins) {
    const fs::path second = file("second/tool", true);
    EXPECT_EQ(find_program("tool", both()), second);
    const fs::path first = file("first/tool", true);
    EXPECT_EQ(find_program("tool", both()), first);
}

TEST_F(program_search, a_file_that_may_not_be_executed_is_passed_over) {
    file("first/tool", false);
    const fs::path second = file("second/tool", true);
    EXPECT_EQ(find_program("tool", both()), second);
}

TEST_F(program_search, a_name_with_a_slash_is_a_path) {
    const fs::path tool = file("first/tool", true);
    EXPECT_EQ(find_program(tool, ""), tool);
    EXPECT_EQ(status_of(folder_ / "tool", both(), "No such file"), 127);
    EXPECT_EQ(status_of(tool / "below", both(), "Not a directory"), 127);
    EXPECT_EQ(status_of(file("first/data", false), both(), "Permission denied"), 126);
    EXPECT_EQ(status_of(folder_ / "first", both(), "it is a folder"), 126);
}

TEST_F(program_search, an_empty_part_of_the_path_is_the_current_folder) {
    file("first/tool", true);
    const fs::path before = fs::current_path();
    fs::current_path(folder_ / "first");
    EXPECT_EQ(find_program("tool", "/nonexistent:"), fs::path("./tool"));
    EXPECT_EQ(find_program("tool", ""), fs::path("./tool"));
    fs::current_path(before);
}

TEST_F(program_search, what_is_nowhere_is_not_found) {
    fs::create_directories(folder_ / "first/tool");
    EXPECT_EQ(status_of("tool", both(), "not found in the folders of PATH"), 127);
    EXPECT_EQ(status_of("", both(), "not found"), 127);
}

TEST_F(program_search, what_may_nowhere_be_executed_is_named) {
    const fs::path tool = file("second/tool", false);
    try {
        (void)find_program("tool", both());
        FAIL() << "found";
    } catch (const launch_error& error) {
        EXPECT_EQ(error.status(), 126);
        EXPECT_TRUE(has(error.what(), tool.string() + "' cannot be started: Permission denied"));
    }
}

}  // namespace
}  // namespace teff::cli
