// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file for a record of the process (a timeline, a task graph). An option names the file, and it is written as a whole
// (whole_file.hpp), usually when the process exits. begin() already checks that it can be written. An older record
// stays in the file until then, or for good if the process does not exit normally.
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
    // For the warning: the environment variable that names the file, and a noun for the record that is missing if the
    // file cannot be written.
    constexpr record_file(const char* variable, const char* content) noexcept
        : variable_(variable), content_(content) {}

    // Keeps the name, and checks that the file can be written. Otherwise warns and returns false.
    bool begin(std::string_view name) noexcept;
    // Writes the file by write(to), which returns 0 or the number of an error; after an error the file stays as it was.
    // Warns and returns false if anything failed.
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

// A record is also written before SIGINT, SIGTERM or SIGHUP ends the process. A signal handler must not write files. So
// it only wakes a thread, which calls a function, restores the signal's default action and sends the signal again. The
// process then ends by the signal, as its parent expects. A second signal in the meantime ends the process at once.
// Signals that the program ignores or handles, now or later, are left alone. Call once in a process.

// From now on `action` is called before such a signal ends the process. If the thread cannot be started, nothing
// changes.
void act_before_interrupts(void (*action)()) noexcept;
// For the child of a fork(), which does not have that thread: restores the signals' default actions.
void leave_interrupts() noexcept;

}  // namespace teff
