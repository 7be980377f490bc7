// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of programs: real ones that the build makes, scripts, and damaged copies, of which nothing may be believed.
#include <cli/run/program_file.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include <cli/test_support.hpp>

namespace teff::cli {
namespace {

namespace fs = std::filesystem;

class program_files : public test_in_folder {
protected:
    fs::path write(const std::string& name, const std::string& bytes) const {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return folder_ / name;
    }
    static std::string bytes_of(const fs::path& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    }
};

TEST_F(program_files, an_elf_file_names_its_loader_and_its_libraries) {
    const program_file file = read_program_file(TEFF_COMMAND);
    EXPECT_EQ(file.kind, program_kind::elf);
    EXPECT_TRUE(file.is_64_bit);
    EXPECT_TRUE(file.is_for_this_processor);
    EXPECT_NE(file.loader.find("/ld-linux"), std::string::npos) << file.loader;
    EXPECT_NE(std::find(file.needed.begin(), file.needed.end(), "libc.so.6"), file.needed.end());
    EXPECT_FALSE(file.contains_openmp);
}

TEST_F(program_files, a_static_program_has_no_loader) {
    const program_file file = read_program_file(TEFF_SAMPLE_STATIC);
    EXPECT_EQ(file.kind, program_kind::elf);
    EXPECT_TRUE(file.is_for_this_processor);
    EXPECT_EQ(file.loader, "");
    EXPECT_TRUE(file.needed.empty());
}

TEST_F(program_files, a_runtime_inside_is_seen_and_one_that_is_only_called_is_not) {
    EXPECT_TRUE(read_program_file(TEFF_SAMPLE_INSIDE).contains_openmp);
    EXPECT_FALSE(read_program_file(TEFF_SAMPLE_OTHER).contains_openmp);
}

TEST_F(program_files, the_interpreter_of_a_script_is_what_is_loaded) {
    const fs::path script = write("script", "#! \t/bin/sh -e\nexit 0\n");
    EXPECT_EQ(read_program_file(script).kind, program_kind::script);
    EXPECT_EQ(read_program_file(script).interpreter, "/bin/sh");
    const fs::path outer = write("outer", "#!" + script.string() + "\n");
    const program_file loaded = read_loaded_file(outer);
    EXPECT_EQ(loaded.path, "/bin/sh");
    EXPECT_EQ(loaded.kind, program_kind::elf);
    const fs::path endless = folder_ / "endless";
    write("endless", "#!" + endless.string());
    EXPECT_EQ(read_loaded_file(endless).kind, program_kind::script);
}

TEST_F(program_files, what_is_no_program_is_told) {
    EXPECT_EQ(read_program_file(write("text", "echo hello\n")).kind, program_kind::other);
    EXPECT_EQ(read_program_file(write("empty", "")).kind, program_kind::other);
    EXPECT_EQ(read_program_file(folder_ / "missing").kind, program_kind::unreadable);
    EXPECT_EQ(read_program_file(folder_).kind, program_kind::unreadable);
    EXPECT_EQ(read_program_file(write("bare", "#!")).interpreter, "");
}

TEST_F(program_files, programs_for_other_machines_are_recognised) {
    std::string bytes = bytes_of(TEFF_SAMPLE_OTHER);
    bytes[4] = 1;
    EXPECT_FALSE(read_program_file(write("narrow", bytes)).is_64_bit);
    bytes[4] = 2;
    bytes[18] = 0x7f;
    EXPECT_FALSE(read_program_file(write("foreign", bytes)).is_for_this_processor);
}

TEST_F(program_files, a_damaged_file_is_read_without_following_it) {
    const std::string whole = bytes_of(TEFF_SAMPLE_OTHER);
    // Cut off anywhere in the headers and tables, and then more coarsely.
    for (std::size_t size = 0; size < whole.size(); size += size < 1024 ? 1 : 509)
        EXPECT_NE(read_program_file(write("cut", whole.substr(0, size))).kind, program_kind::unreadable);
    // Every byte of the headers is damaged once.
    for (std::size_t place = 4; place < 1024; ++place) {
        std::string damaged = whole;
        damaged[place] = static_cast<char>(0xff);
        EXPECT_EQ(read_program_file(write("damaged", damaged)).kind, program_kind::elf);
    }
}

}  // namespace
}  // namespace teff::cli
