// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the sections of the report page are put together from. The text of a cell, and a picture, are markup already.
//
// Whatever may be wider than the window is in a part that scrolls, with a hint below it that is shown only then
// (report_script.hpp). A table is sorted by a click on a title, for which cells have their values beside their texts.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace teff::cli {

struct comparison;
struct measurement;

// A card with a part that scrolls. `name` is for screen readers.
[[nodiscard]] std::string scrolling_card(const std::string& title, const std::string& name, const std::string& content);

// The same for a picture; empty without one.
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
    // The next cell of the row.
    void add(const std::string& text, const std::string& style = {});
    // One that repeats the text of the row above: it is shown only when the table is sorted.
    void add_again(const std::string& text);
    // Sorts by the value; without a value it is a dash, or the given text.
    void add_number(const std::string& text, std::optional<double> value);
    void add_count(unsigned long long value);
    // With the colour of a configuration before the text.
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

// The means over the kernels of the ratios to the best peer; empty if no mean is of several kernels.
[[nodiscard]] std::string mean_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons);

// The median time, and if the runs are far apart also the interval of all.
void add_time(page_table& table, const measurement& row);

// A sentence that explains the marks of noisy rows.
extern const char* const noise_sentence;

}  // namespace teff::cli
