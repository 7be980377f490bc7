// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file path of bounded length, built piece by piece in place.
//
// Used in place of a string, since it never allocates. It remembers that a piece did not fit, so that a chain of
// append() calls needs only one check at its end. One thread at a time may use an object.
#pragma once

#include <array>
#include <charconv>
#include <climits>
#include <cstddef>
#include <string_view>

namespace teff {

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

}  // namespace teff
