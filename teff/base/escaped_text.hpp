// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How text from outside enters what this project writes: labels, names of functions and programs, paths, inputs. There
// is one function for each language that is written, and everything that writes the language uses it:
//
//                    escaped or replaced                                                  the text may then stand in
//   escape_json      " \ <, control characters, line separators; broken UTF-8             a JSON string, also in a page
//   escape_markup    & < > " '; what XML allows nowhere; broken UTF-8                     HTML and SVG, also attributes
//   escape_graphviz  " \ &, control characters; broken UTF-8                              a string of Graphviz
//   escape_terminal  control characters, those that turn the direction; broken UTF-8      a line for a terminal
//
// Each calls put(std::string_view) with one piece after the other. A piece is a whole character or a whole escape, so
// that a buffer may refuse the one that does not fit and end there. Nothing is allocated.
//
// A broken character becomes U+FFFD in all of them. In JSON `<` is escaped, too, since a page may hold the JSON in a
// script element, in which `<!--` and `<script` change the meaning of what follows, not only `</script`. For a terminal
// backslashes stay as they are: so a text that was escaped is not changed by a second call.
#pragma once

#include <cstddef>
#include <string_view>

namespace teff {

// Text in UTF-8, which may be broken: its characters one by one, and a cut where a character ends. Broken are bytes
// that begin no character, a character that lacks bytes, one that is written with more bytes than it needs, a
// surrogate, and a number above the greatest one. As Unicode recommends, the longest begin of a character that lacks
// its rest counts as one broken character, so that a reader finds the next whole one.

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

namespace escaping {

// The longest escape has ten characters.
struct escape_buffer {
    char text[12];
};

// `begin` and the number in hexadecimal, with that many digits.
constexpr std::string_view numbered(escape_buffer& to, std::string_view begin, char32_t number,
                                    unsigned digits) noexcept {
    std::size_t size = 0;
    for (const char each : begin)
        to.text[size++] = each;
    for (unsigned left = digits; left-- > 0;)
        to.text[size++] = "0123456789abcdef"[number >> (4 * left) & 0xFU];
    return {to.text, size};
}

// Those of ASCII, and those from U+0080 on that terminals obey, too.
constexpr bool is_control(char32_t code) noexcept { return code < 0x20 || (code >= 0x7F && code < 0xA0); }
// Ends a line, in scripts and for some readers.
constexpr bool is_line_separator(char32_t code) noexcept { return code == 0x2028 || code == 0x2029; }
// Turns the direction of what follows, beyond the text itself.
constexpr bool is_direction(char32_t code) noexcept {
    return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

// `instead_of(code, buffer)` is what a whole character is replaced by; empty: it stays.
template <class Instead, class Put>
constexpr void put_replaced(std::string_view text, Instead&& instead_of, Put&& put) {
    while (!text.empty()) {
        const utf8_character each = first_character(text);
        escape_buffer buffer{};
        const std::string_view instead = each.is_whole ? instead_of(each.code, buffer) : replacement_text;
        put(instead.empty() ? std::string_view(text.data(), each.size) : instead);
        text.remove_prefix(each.size);
    }
}

}  // namespace escaping

// Without the quotes around it.
template <class Put>
constexpr void escape_json(std::string_view text, Put&& put) {
    escaping::put_replaced(text, [](char32_t code, escaping::escape_buffer& to) noexcept -> std::string_view {
        if (code == '"')
            return "\\\"";
        if (code == '\\')
            return "\\\\";
        if (code == '<' || escaping::is_control(code) || escaping::is_line_separator(code))
            return escaping::numbered(to, "\\u", code, 4);
        return {};
    }, put);
}

template <class Put>
constexpr void escape_markup(std::string_view text, Put&& put) {
    escaping::put_replaced(text, [](char32_t code, escaping::escape_buffer&) noexcept -> std::string_view {
        switch (code) {
        case '&': return "&amp;";
        case '<': return "&lt;";
        case '>': return "&gt;";
        case '"': return "&quot;";
        case '\'': return "&#39;";
        case '\n':
        case '\t': return {};
        case 0xFFFE:
        case 0xFFFF: return replacement_text;
        default: return escaping::is_control(code) ? replacement_text : std::string_view();
        }
    }, put);
}

// Without the quotes around it. Graphviz reads entities, as those of HTML, in its strings.
template <class Put>
constexpr void escape_graphviz(std::string_view text, Put&& put) {
    escaping::put_replaced(text, [](char32_t code, escaping::escape_buffer&) noexcept -> std::string_view {
        switch (code) {
        case '"': return "\\\"";
        case '\\': return "\\\\";
        case '&': return "&amp;";
        case 0xFFFE:
        case 0xFFFF: return replacement_text;
        default: return escaping::is_control(code) ? replacement_text : std::string_view();
        }
    }, put);
}

// The result is one line.
template <class Put>
constexpr void escape_terminal(std::string_view text, Put&& put) {
    escaping::put_replaced(text, [](char32_t code, escaping::escape_buffer& to) noexcept -> std::string_view {
        switch (code) {
        case '\n': return "\\n";
        case '\t': return "\\t";
        case '\r': return "\\r";
        default: break;
        }
        if (code < 0x80)
            return escaping::is_control(code) ? escaping::numbered(to, "\\x", code, 2) : std::string_view();
        if (escaping::is_control(code) || escaping::is_line_separator(code) || escaping::is_direction(code))
            return escaping::numbered(to, "\\u", code, 4);
        return {};
    }, put);
}

}  // namespace teff
