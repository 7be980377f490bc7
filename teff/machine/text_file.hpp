// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Paths and lines of the kernel's files, read with fixed buffers: a path of bounded length that is built piece by piece
// in place, and a text file that is read line by line. Neither allocates.
//
// The files of /proc and /sys report no size, and a list of mounts may be megabytes long on a host of many
// containers. So a file is read as a stream. A line longer than the buffer is skipped; no line that matters here is
// that long. Rejected: stdio, whose streams allocate. One thread at a time may use an object.
#pragma once

#include <array>
#include <charconv>
#include <climits>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace teff {

// A path remembers that a piece did not fit, so that a chain of append() calls needs only one check at its end.
class path_buffer {
public:
    // Adds `piece` as it is. A piece that does not fit, or that holds a zero byte, makes the whole path invalid.
    path_buffer& append(std::string_view piece) noexcept {
        if (piece.size() > text_.size() - 1 - length_ || piece.find('\0') != std::string_view::npos) {
            valid_ = false;
            return *this;
        }
        piece.copy(text_.data() + length_, piece.size());
        length_ += piece.size();
        return *this;
    }

    // Adds `number` in decimal.
    path_buffer& append(int number) noexcept {
        std::array<char, 12> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        return append(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
    }

    // Keeps only the first `length` characters, or all if there are fewer. This makes the path valid again, since a
    // piece that did not fit left no trace: pass a length from before that piece.
    void shorten(std::size_t length) noexcept {
        if (length < length_)
            length_ = length;
        valid_ = true;
    }

    // Makes the path empty and valid.
    void clear() noexcept {
        length_ = 0;
        valid_ = true;
    }

    // False once an append() did not fit. The text then lacks that piece and must not be used.
    [[nodiscard]] bool valid() const noexcept { return valid_; }

    [[nodiscard]] std::string_view view() const noexcept { return {text_.data(), length_}; }

    // The path with a zero byte at its end, for system calls; valid until the next change.
    [[nodiscard]] const char* c_str() noexcept {
        text_[length_] = '\0';
        return text_.data();
    }

private:
    std::array<char, PATH_MAX> text_;
    std::size_t length_ = 0;
    bool valid_ = true;
};

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
