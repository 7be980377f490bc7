// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Composing a short message in the caller's buffer.
//
// Text that does not fit is cut off; the text is always zero-terminated. quote() adds a value that comes from outside,
// and keeps the message on one line whatever the value contains. Never allocates. One thread at a time may use an
// object.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace teff {

class bounded_text {
public:
    // Begins with an empty text. If `storage` is empty, all text is dropped.
    explicit bounded_text(std::span<char> storage) noexcept : storage_(storage) {
        if (!storage_.empty())
            storage_.front() = '\0';
    }

    bounded_text& add(std::string_view text) noexcept {
        for (const char character : text)
            add(character);
        return *this;
    }

    bounded_text& add(char character) noexcept {
        if (length_ + 1 < storage_.size()) {
            storage_[length_++] = character;
            storage_[length_] = '\0';
        }
        return *this;
    }

    // `number` in decimal.
    bounded_text& add(long number) noexcept;

    // The text as a terminal may show it (escaped_text.hpp).
    bounded_text& show(std::string_view text) noexcept;

    // The first 60 bytes of `value`, in single quotes, shown as above.
    bounded_text& quote(std::string_view value) noexcept;

    [[nodiscard]] std::string_view view() const noexcept { return {storage_.data(), length_}; }

private:
    std::span<char> storage_;
    std::size_t length_ = 0;
};

}  // namespace teff
