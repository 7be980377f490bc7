// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the command's tests: a fixture with a folder of its own, whether a text contains a part, where a failed
// assertion shows both, and the text of an error.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace teff::cli {

// Has an empty folder of its own, which is removed with all that is in it.
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

inline testing::AssertionResult has(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos)
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << "'" << text << "' lacks '" << part << "'";
}

// The text of the Error that f() throws; empty if it throws none.
template <class Error, class F>
std::string complaint_of(const F& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace teff::cli
