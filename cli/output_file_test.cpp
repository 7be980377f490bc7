// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of output_file.hpp. What becomes of links, devices and failures is tested beside teff/base/whole_file.hpp.
#include <cli/output_file.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cli/test_support.hpp>

namespace teff::cli {
namespace {

namespace fs = std::filesystem;

class output_files : public test_in_folder {
protected:
    [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
    [[nodiscard]] auto count() const { return std::distance(fs::directory_iterator(folder_), {}); }

    static std::string complaint_about(const std::string& file) {
        try {
            write_file(file, "x");
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return {};
    }
};

TEST_F(output_files, are_replaced_whole) {
    std::ofstream(path("a")) << "something longer than what comes";
    std::ofstream(path("victim")) << "old";
    fs::create_symlink("victim", path("link"));
    EXPECT_FALSE(problem_with(path("a")));
    write_file(path("a"), "new");
    write_file(path("link"), "of the link");
    EXPECT_EQ(read_file(path("a")), "new");
    EXPECT_EQ(read_file(path("link")), "of the link");
    EXPECT_EQ(read_file(path("victim")), "old");
    EXPECT_EQ(count(), 3);
}

TEST_F(output_files, what_is_wrong_is_told_with_a_remedy) {
    EXPECT_EQ(complaint_about("/nonexistent/a"), "'/nonexistent/a' cannot be written: No such file or directory; name "
                                                 "a file in a folder that exists");
    EXPECT_EQ(complaint_about("/dev/full"), "'/dev/full' cannot be written: No space left on device; make room, or "
                                            "name another file");
    EXPECT_TRUE(has(complaint_about(path("")), "cannot be written: Is a directory; name a file that can be written"));
    EXPECT_STREQ(problem_with("/dev/full").why, "No space left on device");
    EXPECT_THROW((void)read_file(path("none")), std::runtime_error);
}

TEST_F(output_files, a_temporary_record_is_the_users_alone_and_goes_unless_it_is_kept) {
    fs::path folder;
    {
        const temporary_record record;
        folder = fs::path(record.name()).parent_path();
        struct stat there{};
        ASSERT_EQ(::stat(folder.c_str(), &there), 0);
        EXPECT_EQ(there.st_mode & 0777, 0700U);
        EXPECT_EQ(record.text(), "");
        std::ofstream(record.name()) << "text";
        EXPECT_EQ(record.text(), "text");
    }
    EXPECT_FALSE(fs::exists(folder));
    std::string name;
    {
        temporary_record record;
        std::ofstream(name = record.name()) << "text";
        record.keep();
    }
    EXPECT_EQ(read_file(name), "text");
    fs::remove_all(fs::path(name).parent_path());
}

}  // namespace
}  // namespace teff::cli
