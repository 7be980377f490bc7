// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: whether a text contains a part, where a failed assertion shows both; and the text of an error.
#pragma once

#include <string>

#include <gtest/gtest.h>

namespace teff::cli {

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
