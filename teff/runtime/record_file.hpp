// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that gets a record of the process (a timeline, a task graph): named by an option, emptied when the recording
// begins, and written as a whole, usually when the process exits.
//
// Of the processes that name the same file only one has it open at a time, so that they do not mix their records. One
// thread at a time uses an object.
#pragma once

#include <climits>
#include <cstdio>
#include <string_view>

namespace teff {

class record_file {
public:
    // For the warning: the variable that names the file, and what there is not if the file cannot be written.
    constexpr record_file(const char* variable, const char* content) noexcept
        : variable_(variable), content_(content) {}

    // Keeps the name, and empties the file to see that it can be written. False: it cannot, and a warning told so.
    bool begin(std::string_view name) noexcept;
    // The file, emptied, or nullptr with errno set.
    std::FILE* open() noexcept;
    // Whether all was written; false with errno set.
    static bool close(std::FILE* file) noexcept;
    // The warning, with the reason in errno.
    void warn() const noexcept { warn_of(name_); }
    std::string_view name() const noexcept { return name_; }

private:
    bool keep_name(std::string_view name) noexcept;
    void warn_of(std::string_view name) const noexcept;

    const char* const variable_;
    const char* const content_;
    char name_[PATH_MAX]{};
};

}  // namespace teff
