// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes messages to stderr without allocation, so that they work when memory or threads have run out.
#include <teff/base/assert.hpp>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace teff {
namespace {

constexpr int line_size = 1024;

void write_line(const char* line, int length) noexcept {
    const int saved_errno = errno;
    // If the write fails, there is no other place to report the message.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line, static_cast<std::size_t>(length));
    errno = saved_errno;
}

int finished_length(int wanted) noexcept { return wanted < line_size ? wanted : line_size - 1; }

}  // namespace

void fatal(const char* component, const char* cause, const char* remedy) noexcept {
    char line[line_size];
    const int wanted = std::snprintf(line, sizeof line, "teff: %s: %s; %s\n", component, cause, remedy);
    write_line(line, finished_length(wanted));
    std::abort();
}

void warn(const char* format, ...) noexcept {
    char text[line_size - 16];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char line[line_size];
    const int wanted = std::snprintf(line, sizeof line, "teff: %s\n", text);
    write_line(line, finished_length(wanted));
}

}  // namespace teff
