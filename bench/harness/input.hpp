// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads input files: words and numbers separated by white space. Input that is missing, malformed or out of range
// raises a usage_error that names the file and what was expected at that place.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>

namespace bench {

// The whole file; throws usage_error if it cannot be read.
std::string read_file(const std::string& path);

class input_reader {
public:
    explicit input_reader(const std::string& path) : path_(path), text_(read_file(path)) {}

    // The next word; `what` names it in the error message.
    std::string word(const char* what);
    long integer(const char* what, long minimum, long maximum);
    double real(const char* what, double minimum, double maximum);

    // The rest of the current line, without the line break.
    std::string line();
    bool at_end();

private:
    [[noreturn]] void fail(const char* what, const std::string& found) const;
    void skip_space();

    std::string path_;
    std::string text_;
    std::size_t position_ = 0;
};

}  // namespace bench
