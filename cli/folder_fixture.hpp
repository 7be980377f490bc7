// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: a fixture with an empty folder of its own, which is removed with all that is in it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace teff::cli {

class test_in_folder : public testing::Test {
protected:
    test_in_folder() {
        std::string pattern = testing::TempDir() + "teff_XXXXXX";
        EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    ~test_in_folder() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path folder_;
};

}  // namespace teff::cli
