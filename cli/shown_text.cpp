// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See shown_text.hpp. Widths are those of Unicode's standard annex 11, without a locale, since the command sets none.
#include <cli/shown_text.hpp>

#include <algorithm>

#include <teff/base/escaped_text.hpp>

namespace teff::cli {

namespace {

struct code_range {
    char32_t first, last;
};

// Blocks of marks that are drawn on the character before them, and of signs without a width.
constexpr code_range of_no_width[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},  {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},  {0xFEFF, 0xFEFF},
    {0xE0100, 0xE01EF}};
constexpr code_range wide[] = {
    {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
    {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD}};

template <std::size_t Count>
bool is_in(const code_range (&ranges)[Count], char32_t code) {
    return std::any_of(std::begin(ranges), std::end(ranges),
                       [&](const code_range& each) { return code >= each.first && code <= each.last; });
}

std::size_t width_of(char32_t code) { return is_in(of_no_width, code) ? 0 : is_in(wide, code) ? 2 : 1; }

// Calls visit(character, its place) until it returns false.
template <class Visit>
void for_each_character(std::string_view text, Visit&& visit) {
    for (std::size_t place = 0; place < text.size();) {
        const utf8_character each = first_character(text.substr(place));
        if (!visit(each, place))
            return;
        place += each.size;
    }
}

}  // namespace

std::string json_string(std::string_view text) {
    std::string made = "\"";
    escape_json(text, [&](std::string_view piece) { made += piece; });
    return made + "\"";
}

std::string markup_text(std::string_view text) {
    std::string made;
    escape_markup(text, [&](std::string_view piece) { made += piece; });
    return made;
}

std::string terminal_text(std::string_view text) {
    std::string made;
    escape_terminal(text, [&](std::string_view piece) { made += piece; });
    return made;
}

std::string terminal_lines(std::string_view text) {
    std::string made;
    while (true) {
        const std::size_t end = text.find_first_of("\n\t");
        made += terminal_text(text.substr(0, end));
        if (end == std::string_view::npos)
            return made;
        made += text[end];
        text.remove_prefix(end + 1);
    }
}

std::string repaired(std::string_view text) {
    std::string made;
    for_each_character(text, [&](const utf8_character& each, std::size_t place) {
        made += each.is_whole ? text.substr(place, each.size) : replacement_text;
        return true;
    });
    return made;
}

std::size_t columns_of(std::string_view text) {
    std::size_t columns = 0;
    for_each_character(text, [&](const utf8_character& each, std::size_t) {
        columns += width_of(each.code);
        return true;
    });
    return columns;
}

std::size_t characters_in(std::string_view text) {
    std::size_t count = 0;
    for_each_character(text, [&](const utf8_character&, std::size_t) { return ++count != 0; });
    return count;
}

std::string cut_to(std::string_view text, std::size_t columns, std::string_view ending) {
    if (columns_of(text) <= columns)
        return std::string(text);
    const std::size_t room = columns - std::min(columns, columns_of(ending));
    std::size_t taken = 0, end = 0;
    for_each_character(text, [&](const utf8_character& each, std::size_t place) {
        taken += width_of(each.code);
        if (taken <= room)
            end = place + each.size;
        return taken <= room;
    });
    return std::string(text.substr(0, end)) + std::string(ending);
}

std::string_view first_characters(std::string_view text, std::size_t count) {
    std::size_t end = text.size();
    for_each_character(text, [&](const utf8_character&, std::size_t place) {
        if (count-- != 0)
            return true;
        end = place;
        return false;
    });
    return text.substr(0, end);
}

std::string_view last_characters(std::string_view text, std::size_t count) {
    const std::size_t all = characters_in(text);
    return text.substr(first_characters(text, all - std::min(all, count)).size());
}

std::string padded(std::string_view text, std::size_t columns, bool to_the_right) {
    const std::string blanks(columns - std::min(columns, columns_of(text)), ' ');
    return to_the_right ? blanks + std::string(text) : std::string(text) + blanks;
}

}  // namespace teff::cli
