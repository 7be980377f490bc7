// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: whether a text contains a part. A failed assertion shows both.
#pragma once

#include <string>

#include <gtest/gtest.h>

namespace teff::cli {

inline testing::AssertionResult has(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos)
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << "'" << text << "' lacks '" << part << "'";
}

}  // namespace teff::cli
