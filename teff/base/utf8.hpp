// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text in UTF-8, which may be broken: its characters one by one, and a cut where a character ends.
//
// Broken are bytes that begin no character, a character that lacks bytes, one that is written with more bytes than it
// needs, a surrogate, and a number above the greatest one. As Unicode recommends, the longest begin of a character
// that lacks its rest counts as one broken character, so that a reader finds the next whole one.
#pragma once

#include <cstddef>
#include <string_view>

namespace teff {

// The character that replaces a broken one.
inline constexpr char32_t replacement_character = 0xFFFD;
inline constexpr std::string_view replacement_text = "\xEF\xBF\xBD";

struct utf8_character {
    char32_t code;     // replacement_character if it is broken
    std::size_t size;  // in bytes, from 1 to 4
    bool is_whole;
};

// The first character of a text that is not empty.
constexpr utf8_character first_character(std::string_view text) noexcept {
    const auto byte = [&](std::size_t place) { return static_cast<unsigned>(static_cast<unsigned char>(text[place])); };
    const unsigned first = byte(0);
    if (first < 0x80)
        return {first, 1, true};
    if (first < 0xC2 || first > 0xF4)
        return {replacement_character, 1, false};
    const std::size_t size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    // The second byte of some characters has a smaller range, without which the rest would be one of those above.
    unsigned least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    unsigned greatest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    char32_t code = first & (0x7FU >> size);
    for (std::size_t place = 1; place != size; ++place) {
        if (place == text.size() || byte(place) < least || byte(place) > greatest)
            return {replacement_character, place, false};
        code = code << 6 | (byte(place) & 0x3FU);
        least = 0x80;
        greatest = 0xBF;
    }
    return {code, size, true};
}

// The begin of the text, of at most `most` bytes, without a part of a character at its end.
constexpr std::string_view cut_utf8(std::string_view text, std::size_t most) noexcept {
    if (text.size() <= most)
        return text;
    // All bytes of a character but the first one have these two bits.
    while (most != 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U)
        --most;
    return {text.data(), most};
}

}  // namespace teff
