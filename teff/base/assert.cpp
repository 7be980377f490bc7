// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes messages to stderr without allocation, so that they work when memory or threads have run out.
#include <teff/base/assert.hpp>

#include <teff/base/escaped_text.hpp>

#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unistd.h>

namespace teff {
namespace {

constexpr std::size_t line_size = 1024;

// Cuts off the text that does not fit in a line.
void write_line(const char* text) noexcept {
    const int saved_errno = errno;
    char line[line_size] = "teff: ";
    std::size_t length = std::strlen(line);
    bool is_full = false;
    escape_terminal(text, [&](std::string_view piece) noexcept {
        is_full = is_full || length + piece.size() + 1 > line_size;
        if (is_full)
            return;
        std::memcpy(line + length, piece.data(), piece.size());
        length += piece.size();
    });
    line[length++] = '\n';
    // If the write fails, there is no other place to report the message.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line, length);
    errno = saved_errno;
}

}  // namespace

void fatal(const char* component, const char* cause, const char* remedy) noexcept {
    char text[line_size];
    std::snprintf(text, sizeof text, "%s: %s; %s", component, cause, remedy);
    write_line(text);
    std::abort();
}

void warn(const char* format, ...) noexcept {
    char text[line_size];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_line(text);
}

}  // namespace teff
