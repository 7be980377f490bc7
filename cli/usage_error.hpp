// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mistake of whoever typed the command: one message that names what is wrong, why, and what to do about it.
//
// main() prints it as one line on stderr and exits with status 2. Every check of an option's value throws this and
// nothing else, so that a test can read the message; a failure that is not the user's (a runner that is missing, a
// wrong answer) is not a usage_error and ends with status 1.
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
