// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of plain text: a line of titles, a rule, and lines of cells.
//
// The cells are collected first, because the width of a column is known only when all of them are. A table that is too
// wide for a terminal leaves columns out, those of least use first, and names them in a line below. Cells and titles
// may have any text: it is shown in one line (terminal_text()), and widths are those on a terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace teff::cli {

struct column {
    std::string title;
    bool to_the_right;
    unsigned rank = 0;         // the column of the greatest rank is left out first; one of rank 0 never is
    bool tells_apart = false;  // is left out only if it has the same text in all rows, which is told then
};

class text_table {
public:
    explicit text_table(std::vector<column> columns);

    void add(const std::vector<std::string>& cells);
    void add_gap() { lines_.emplace_back(); }

    // With all columns, unless there is a width to keep to.
    [[nodiscard]] std::string text(std::optional<unsigned> width = {}) const;

private:
    [[nodiscard]] std::vector<std::size_t> column_widths() const;
    [[nodiscard]] bool has_one_text(std::size_t column) const;
    [[nodiscard]] std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                                   const std::vector<bool>& shown) const;
    [[nodiscard]] std::string left_out_text(const std::vector<bool>& shown) const;

    std::vector<column> columns_;
    std::vector<std::vector<std::string>> lines_;
};

}  // namespace teff::cli
