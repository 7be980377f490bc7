// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of a construct in the program's source, in the form ";file;function;line;column;;" that Clang gives.
#pragma once

#include <teff/runtime/bounded_text.hpp>

#include <string_view>

namespace teff::openmp {

// Adds "file:line:column", or "unknown" if `described` is nullptr or in another form.
inline void add_source_place(bounded_text& to, const char* described) noexcept {
    std::string_view rest = described == nullptr ? "" : described;
    std::string_view part[5];  // what is before the first semicolon, file, function, line, column
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
