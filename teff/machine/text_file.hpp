// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a text file of the kernel line by line, with a fixed buffer.
//
// The files of /proc and /sys report no size, and a list of mounts may be megabytes long on a host of many
// containers. So the file is read as a stream. A line longer than the buffer is skipped; no line that matters here is
// that long. Rejected: stdio, whose streams allocate. One thread at a time may use an object.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace teff {

class text_file {
public:
    // Opens `path` for reading. A file that cannot be opened reads as an empty one; is_open() tells the difference.
    explicit text_file(const char* path) noexcept;
    ~text_file();
    text_file(const text_file&) = delete;
    text_file& operator=(const text_file&) = delete;

    [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }

    // Sets `line` to the next line, without its end, and returns true. Returns false at the end of the file or on an
    // error. The view is valid until the next call.
    [[nodiscard]] bool next_line(std::string_view& line) noexcept;

private:
    bool refill() noexcept;

    int descriptor_;
    bool skipping_ = false;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::array<char, 4096> buffer_;
};

// The first line of the file `path`, trimmed of blanks and copied into `storage`. Returns an empty view if there is
// no such file, if it has no line, or if the line does not fit. Any thread may call it.
[[nodiscard]] std::string_view read_first_line(const char* path, std::span<char> storage) noexcept;

// The number at the beginning of the file `path` ("4", "0-1", "0,64"); nothing if there is none. Any thread may call
// it.
[[nodiscard]] std::optional<int> read_leading_number(const char* path) noexcept;

}  // namespace teff
