// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays out tables of text; see text_table.hpp.
#include <cli/report/drawing/text_table.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <cli/shown_text.hpp>

namespace teff::cli {

namespace {

constexpr std::size_t between = 2;

std::size_t total_width(const std::vector<std::size_t>& widths, const std::vector<bool>& shown) {
    std::size_t total = 0;
    for (std::size_t i = 0; i < widths.size(); ++i)
        if (shown[i])
            total += widths[i] + between;
    return total < between ? 0 : total - between;
}

}  // namespace

text_table::text_table(std::vector<column> columns) : columns_(std::move(columns)) {
    for (column& each : columns_)
        each.title = terminal_text(each.title);
}

void text_table::add(const std::vector<std::string>& cells) {
    std::vector<std::string>& line = lines_.emplace_back();
    for (const std::string& each : cells)
        line.push_back(terminal_text(each));
}

std::string text_table::text(std::optional<unsigned> width) const {
    const std::vector<std::size_t> widths = column_widths();
    std::vector<bool> shown(columns_.size(), true);
    while (width && total_width(widths, shown) > *width) {
        std::optional<std::size_t> least_useful;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const bool may_go = shown[i] && columns_[i].rank > 0 && (!columns_[i].tells_apart || has_one_text(i));
            if (may_go && (!least_useful || columns_[i].rank > columns_[*least_useful].rank))
                least_useful = i;
        }
        if (!least_useful)
            break;
        shown[*least_useful] = false;
    }
    std::vector<std::string> titles;
    for (const column& each : columns_)
        titles.push_back(each.title);
    std::string result = line(titles, widths, shown);
    result += std::string(total_width(widths, shown), '-') + "\n";
    for (const auto& cells : lines_)
        result += line(cells, widths, shown);
    return result + left_out_text(shown);
}

std::vector<std::size_t> text_table::column_widths() const {
    std::vector<std::size_t> widths;
    for (const column& each : columns_)
        widths.push_back(columns_of(each.title));
    for (const auto& cells : lines_)
        for (std::size_t i = 0; i < cells.size(); ++i)
            widths[i] = std::max(widths[i], columns_of(cells[i]));
    return widths;
}

bool text_table::has_one_text(std::size_t column) const {
    const std::string* first = nullptr;
    for (const auto& cells : lines_) {
        if (cells.empty())
            continue;
        if (first != nullptr && cells[column] != *first)
            return false;
        first = &cells[column];
    }
    return true;
}

std::string text_table::line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                             const std::vector<bool>& shown) const {
    std::string result;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!shown[i])
            continue;
        result += padded(cells[i], widths[i], columns_[i].to_the_right);
        result += std::string(between, ' ');
    }
    result.erase(result.find_last_not_of(' ') + 1);
    return result + "\n";
}

std::string text_table::left_out_text(const std::vector<bool>& shown) const {
    const auto first = std::find_if(lines_.begin(), lines_.end(), [](const auto& cells) { return !cells.empty(); });
    std::string names;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (shown[i])
            continue;
        names += (names.empty() ? "" : ", ") + columns_[i].title;
        if (columns_[i].tells_apart && first != lines_.end())
            names += fmt::format(" ({})", (*first)[i]);
    }
    return names.empty() ? names : fmt::format("not shown: {}; --wide shows all columns\n", names);
}

}  // namespace teff::cli
