// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: a directory of files that stands for a part of /proc or /sys, removed at the end.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace teff::testing {

class fixture_tree {
public:
    fixture_tree() {
        std::string pattern = (std::filesystem::temp_directory_path() / "teff-fixture-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr)
            ADD_FAILURE() << "no temporary directory " << pattern;
        root_ = pattern;
    }
    ~fixture_tree() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }
    fixture_tree(const fixture_tree&) = delete;
    fixture_tree& operator=(const fixture_tree&) = delete;

    // Where the tree begins; without a slash at its end.
    [[nodiscard]] const std::string& root() const { return root_; }

    // The full name of `path`, which begins with a slash.
    [[nodiscard]] std::string at(std::string_view path) const { return root_ + std::string(path); }

    // Writes the file `path` with this content, with the directories it needs.
    void write(std::string_view path, std::string_view content) const {
        const std::filesystem::path file = at(path);
        std::filesystem::create_directories(file.parent_path());
        std::ofstream stream(file, std::ios::binary);
        stream << content;
        EXPECT_TRUE(stream.good()) << file;
    }

private:
    std::string root_;
};

}  // namespace teff::testing
