// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The columns are the rows of one table: a title, and how the cell is made from the counts; see hardware_counts.hpp.
#include <cli/report/hardware_counts.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <cli/text.hpp>

namespace teff::cli {

namespace {

using counts = nlohmann::json;

std::optional<double> count_of(const counts& from, const char* name) {
    const auto found = from.find(name);
    return found == from.end() || !found->is_number() ? std::nullopt : std::optional(found->get<double>());
}

// "1.235 G": four significant digits; all digits of a small number.
std::string short_count(double count) {
    constexpr const char* units[] = {"", " k", " M", " G", " T", " P"};
    std::size_t unit = 0;
    for (; count >= (unit == 0 ? 9999.5 : 999.95) && unit + 1 < std::size(units); ++unit)
        count /= 1000;
    return fmt::format("{:.{}f}{}", count, unit == 0 ? 0 : count >= 100 ? 1 : count >= 10 ? 2 : 3, units[unit]);
}

std::optional<double> ratio_of(const counts& from, const char* numerator, const char* to) {
    const auto above = count_of(from, numerator);
    const auto below = count_of(from, to);
    return above && below && *below > 0 ? std::optional(*above / *below) : std::nullopt;
}

struct count_column {
    const char* title;
    const char* counted;
    const char* per = nullptr;  // not null: the ratio of the two ...
    bool is_share = false;      // ... as a percentage
    double unit = 1;            // not 1: the count divided by this, with three decimals
};

constexpr count_column count_columns[] = {
    {"CPU s", "task_clock_ns", nullptr, false, 1e9},
    {"cycles", "cycles"},
    {"instructions", "instructions"},
    {"cycles/instr.", "cycles", "instructions"},
    {"stalled", "stalled_cycles", "cycles", true},
    {"L1D loads", "l1d_loads"},
    {"L1D misses", "l1d_misses"},
    {"LLC refs", "llc_references"},
    {"LLC misses", "llc_misses"},
    {"branch misses", "branch_misses"},
    {"switches", "context_switches"},
    {"migrations", "cpu_migrations"},
    {"counted", "counted_share", nullptr, true},
};

std::optional<double> value_of(const counts& from, const count_column& what) {
    return what.per == nullptr ? count_of(from, what.counted) : ratio_of(from, what.counted, what.per);
}

std::string cell_of(const std::optional<double>& value, const count_column& what) {
    if (!value)
        return "-";
    if (what.is_share)
        return fmt::format("{:.1f}%", *value * 100);
    if (what.per != nullptr || what.unit != 1)
        return fmt::format("{:.3f}", *value / what.unit);
    return short_count(*value);
}

const counts* hardware_of(const measurement& row) {
    if (!row.counters.is_object())
        return nullptr;
    const auto found = row.counters.find("hardware");
    return found == row.counters.end() || !found->is_object() ? nullptr : &*found;
}

}  // namespace

hardware_counts hardware_counts_of(const std::vector<measurement>& rows) {
    hardware_counts result;
    for (const measurement& row : rows)
        if (hardware_of(row) != nullptr)
            result.rows.push_back(&row);
    result.cells.resize(result.rows.size());
    result.values.resize(result.rows.size());
    for (const count_column& column : count_columns) {
        std::vector<std::optional<double>> values;
        for (const measurement* row : result.rows)
            values.push_back(value_of(*hardware_of(*row), column));
        if (std::none_of(values.begin(), values.end(), [](const auto& value) { return value.has_value(); }))
            continue;
        result.titles.emplace_back(column.title);
        for (std::size_t i = 0; i < values.size(); ++i) {
            result.cells[i].push_back(cell_of(values[i], column));
            result.values[i].push_back(values[i]);
        }
    }
    return result;
}

std::vector<std::string> missing_hardware_counts(const std::vector<measurement>& rows) {
    std::vector<std::string> sentences;
    for (const measurement& row : rows) {
        const counts* const hardware = hardware_of(row);
        if (hardware == nullptr)
            continue;
        for (const counts& group : hardware->value("unavailable", counts::array())) {
            const auto names = group.value("counters", std::vector<std::string>{});
            const std::string sentence =
                fmt::format("not counted: {}: {}", join_words(names), group.value("reason", std::string("no reason")));
            if (std::find(sentences.begin(), sentences.end(), sentence) == sentences.end())
                sentences.push_back(sentence);
        }
    }
    return sentences;
}

}  // namespace teff::cli
