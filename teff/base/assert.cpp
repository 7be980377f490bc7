// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes messages to stderr without allocation, so that they work when memory or threads have run out.
#include <teff/base/assert.hpp>

#include <teff/base/atomic.hpp>
#include <teff/base/escaped_text.hpp>

#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
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

// Several threads may find at the same time that there is no memory. The first one says so. The others give it a second
// to end the process; then they do so themselves, as does the same thread when it comes here in a handler of SIGABRT.
void let_another_end_the_process() noexcept {
    static constinit atomic<pid_t> first{0};
    const pid_t self = ::gettid();
    pid_t seen = 0;
    // relaxed, both: the number stands alone.
    if (first.compare_exchange_strong(seen, self, std::memory_order_relaxed, std::memory_order_relaxed) || seen == self)
        return;
    timespec left{.tv_sec = 1, .tv_nsec = 0};
    while (::nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

}  // namespace

void fatal(const char* component, const char* cause, const char* remedy) noexcept {
    let_another_end_the_process();
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
