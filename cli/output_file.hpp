// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that the command writes: those that the user names, whole or not at all (teff/base/whole_file.hpp), and
// records that programs write for the command.
#pragma once

#include <string>

#include <teff/base/file_place.hpp>

namespace teff::cli {

// Whether the file could be written now, asked before the work that it is to hold. Changes nothing.
[[nodiscard]] file_problem problem_with(const std::string& file);

// Writes the text to the file. Throws std::runtime_error, with why and what to do; then the file is as it was.
void write_file(const std::string& file, const std::string& text);

// The whole text. Throws std::runtime_error.
[[nodiscard]] std::string read_file(const std::string& file);

// A file for a record that a program writes, in a temporary folder which is the user's alone. Both are removed at the
// end, unless they are to be kept.
class temporary_record {
public:
    // Throws std::runtime_error.
    temporary_record();
    ~temporary_record();
    temporary_record(const temporary_record&) = delete;
    temporary_record& operator=(const temporary_record&) = delete;

    [[nodiscard]] std::string name() const { return folder_ + "/record.json"; }
    // Empty, if the program has not written it. Throws std::runtime_error.
    [[nodiscard]] std::string text() const;
    // Leaves the file there.
    void keep() { is_kept_ = true; }

private:
    std::string folder_;
    bool is_kept_ = false;
};

}  // namespace teff::cli
