// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines about requests of a program or its environment that cannot be met. They begin like the lines of LLVM's runtime,
// since scripts look for that.
#pragma once

#include <teff/base/bounded_text.hpp>

#include <string_view>

namespace teff::openmp {

// Writes "OMP: Warning #NUMBER: TEXT" and the end of the line to stderr. The number identifies the kind of the warning.
void warn_of(unsigned number, const char* text) noexcept;
// Writes "OMP: Error #NUMBER: TEXT" and ends the program by exit(1).
[[noreturn]] void end_with_error(unsigned number, const char* text) noexcept;

// The numbers of warnings that are not about a variable; those are numbered by the rows of the table.
inline constexpr unsigned warning_fewer_threads = 200, warning_affinity = 201, warning_directive = 202,
                          error_device = 203, warning_strict_threads = 204, error_strict_threads = 205;

// Adds the place of a construct in the program's source, "file:line:column". Clang describes it as
// ";file;function;line;column;;". Adds "unknown" if `described` is nullptr or in another form.
inline void add_source_place(bounded_text& to, const char* described) noexcept {
    std::string_view rest = described == nullptr ? "" : described;
    std::string_view part[5];  // the text before the first semicolon, file, function, line, column
    for (std::string_view& each : part) {
        const std::size_t end = rest.find(';');
        if (end == std::string_view::npos) {
            to.add("unknown");
            return;
        }
        each = rest.substr(0, end);
        rest.remove_prefix(end + 1);
    }
    to.add(part[1]).add(':').add(part[3]).add(':').add(part[4]);
}

}  // namespace teff::openmp
