// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The building blocks of the report page: cards, tables, and texts of numbers. The caller passes cell texts and
// pictures as markup, so special characters are escaped already.
//
// Content that may be wider than the window is in a scrolling part. A hint below it is shown only if it is wider
// (report_script.hpp). A click on a column's title sorts the table; for this, number cells carry their value as an
// attribute.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace teff::cli {

struct comparison;
struct measurement;

// The style sheet of a report (report_style.hpp), with the classes of the colours.
[[nodiscard]] std::string page_style();

// A card with a scrolling part. `name` is the part's label for screen readers.
[[nodiscard]] std::string scrolling_card(const std::string& title, const std::string& name, const std::string& content);

// A card with a picture; an empty text if the picture is empty.
[[nodiscard]] std::string card(const std::string& title, const std::string& picture);

struct page_column {
    std::string title;
    bool is_number = false;
};

class page_table {
public:
    page_table(std::string name, std::vector<page_column> columns);

    // Begins a row. `style`: CSS classes.
    void add_row(const std::string& style = {});
    // Adds the next cell of the row.
    void add(const std::string& text, const std::string& style = {});
    // Adds a cell that repeats the text of the row above. The cell is visible only after the user has sorted the table.
    void add_again(const std::string& text);
    // Adds a cell that is sorted by `value`. An empty text is shown as a dash.
    void add_number(const std::string& text, std::optional<double> value);
    void add_count(unsigned long long value);
    // Adds a cell that shows a configuration's colour in front of the text.
    void add_keyed(const std::string& colour, const std::string& text);

    [[nodiscard]] bool is_empty() const { return rows_.empty(); }
    [[nodiscard]] std::string markup() const;

private:
    std::string name_;
    std::vector<page_column> columns_;
    std::string rows_;
};

// Writes 165580141 as 165 580 141, with narrow no-break spaces.
[[nodiscard]] std::string count_text(unsigned long long count);

// The table of the geometric means, over the kernels, of the ratios to the best peer. Empty if no mean covers several
// kernels.
[[nodiscard]] std::string mean_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons);

// Adds a cell with the median time, and with the range of all runs if the row is noisy.
void add_time(page_table& table, const measurement& row);

// A sentence that explains the marks of noisy rows.
extern const char* const noise_sentence;

}  // namespace teff::cli
