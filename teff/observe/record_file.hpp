// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that gets a record of the process (a timeline, a task graph): named by an option, and written as a whole
// (whole_file.hpp), usually when the process exits. That it can be written is seen when the recording begins. An older
// record stays until then, and for good if the process ends otherwise.
//
// If several processes name the same file, it keeps the record of the process that writes last. One thread at a time
// uses an object.
#pragma once

#include <teff/base/whole_file.hpp>

#include <climits>
#include <cstdio>
#include <string_view>

namespace teff {

class record_file {
public:
    // For the warning: the variable that names the file, and what there is not if the file cannot be written.
    constexpr record_file(const char* variable, const char* content) noexcept
        : variable_(variable), content_(content) {}

    // Keeps the name, and sees that the file can be written. False: it cannot, and a warning told so.
    bool begin(std::string_view name) noexcept;
    // Writes the file by write(to), which returns 0, or the number of an error, after which the file stays as it was.
    // False: something failed, and a warning told so.
    template <class Write>
    bool write(Write&& write) noexcept {
        std::FILE* const to = file_.open(name_);
        const int error = to == nullptr ? 0 : write(to);
        if (error == 0 && file_.close())
            return true;
        file_.discard();
        warn_of(name_, error != 0 ? problem_of(error) : file_.problem());
        return false;
    }

private:
    int keep_name(std::string_view name) noexcept;
    void warn_of(std::string_view name, const file_problem& problem) const noexcept;

    const char* const variable_;
    const char* const content_;
    whole_file file_;
    char name_[PATH_MAX]{};
};

}  // namespace teff
