// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for the error directive (OpenMP 5.1, section 2.5.4). The line has the words of GCC's runtime, since
// scripts look for them.
#include <teff/base/bounded_text.hpp>

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace {

// length: SIZE_MAX if the message ends with a zero.
void write_directive(const char* begin, const char* message, std::size_t length) noexcept {
    char storage[1024];
    teff::bounded_text line(storage);
    line.add(begin).add("error directive encountered");
    if (message != nullptr)
        line.add(": ").add(length == SIZE_MAX ? std::string_view(message) : std::string_view(message, length));
    line.add('\n');
    // A line that cannot be written is lost.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.view().data(), line.view().size());
}

}  // namespace

extern "C" {

void GOMP_warning(const char* message, std::size_t length) { write_directive("\nlibgomp: ", message, length); }
void GOMP_error(const char* message, std::size_t length) {
    write_directive("\nlibgomp: fatal error: ", message, length);
    std::exit(1);
}
}
