// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mistake on the command line: one message that says what is wrong, why, and how to correct it.
//
// main() prints it as one line on stderr and exits with status 2. Every check of an option's value throws this and
// nothing else, so that a test can read the message. A failure that is not the user's (a missing runner, a wrong
// answer) is not a usage_error and ends with status 1.
#pragma once

#include <stdexcept>
#include <string>

namespace teff::cli {

class usage_error : public std::runtime_error {
public:
    usage_error(const std::string& what, const std::string& why, const std::string& remedy)
        : std::runtime_error(what + ": " + why + "; " + remedy) {}
};

}  // namespace teff::cli
