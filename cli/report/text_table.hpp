// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of plain text: a line of titles, a rule, and lines of cells.
//
// The cells are collected first, because the width of a column is known only when all of them are.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace teff::cli {

struct column {
    std::string title;
    bool to_the_right;
};

class text_table {
public:
    explicit text_table(std::vector<column> columns) : columns_(std::move(columns)) {}

    void add(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }
    void add_gap() { lines_.emplace_back(); }

    [[nodiscard]] std::string text() const {
        std::vector<std::string> titles;
        for (const column& each : columns_)
            titles.push_back(each.title);
        const std::vector<std::size_t> widths = column_widths(titles);
        std::string result = line(titles, widths);
        std::size_t total = 2 * (widths.size() - 1);
        for (const std::size_t width : widths)
            total += width;
        result += std::string(total, '-') + "\n";
        for (const auto& cells : lines_)
            result += line(cells, widths);
        return result;
    }

private:
    [[nodiscard]] std::vector<std::size_t> column_widths(const std::vector<std::string>& titles) const {
        std::vector<std::size_t> widths;
        for (const std::string& title : titles)
            widths.push_back(title.size());
        for (const auto& cells : lines_)
            for (std::size_t i = 0; i < cells.size(); ++i)
                widths[i] = std::max(widths[i], cells[i].size());
        return widths;
    }

    [[nodiscard]] std::string line(const std::vector<std::string>& cells,
                                   const std::vector<std::size_t>& widths) const {
        std::string result;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            result += i == 0 ? "" : "  ";
            result += columns_[i].to_the_right ? fmt::format("{:>{}}", cells[i], widths[i])
                                               : fmt::format("{:<{}}", cells[i], widths[i]);
        }
        result.erase(result.find_last_not_of(' ') + 1);
        return result + "\n";
    }

    std::vector<column> columns_;
    std::vector<std::vector<std::string>> lines_;
};

}  // namespace teff::cli
