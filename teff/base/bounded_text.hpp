// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Composing a short message in the caller's buffer.
//
// Text that does not fit is cut off; the text is always zero-terminated. quote() adds a value that comes from outside,
// and keeps the message on one line whatever the value contains. Never allocates. One thread at a time may use an
// object.
#pragma once

#include <teff/base/escaped_text.hpp>

#include <array>
#include <charconv>
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
    bounded_text& add(long number) noexcept {
        std::array<char, 24> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        return add(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
    }

    // The text as a terminal may show it (escaped_text.hpp).
    bounded_text& show(std::string_view text) noexcept {
        escape_terminal(text, [this](std::string_view piece) noexcept { add(piece); });
        return *this;
    }

    // The first 60 bytes of `value`, in single quotes, shown as above.
    bounded_text& quote(std::string_view value) noexcept {
        constexpr std::size_t most = 60;
        add('\'').show(cut_utf8(value, most));
        return add(value.size() > most ? std::string_view("...'") : std::string_view("'"));
    }

    [[nodiscard]] std::string_view view() const noexcept { return {storage_.data(), length_}; }

private:
    std::span<char> storage_;
    std::size_t length_ = 0;
};

}  // namespace teff
