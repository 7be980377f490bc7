// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds options by name among the rows of option_rows.hpp, and writes the page docs/options.md from them. A row is the
// complete definition of an option.
//
// The table is constant, so any thread may read it at any time, before main() as well.
#pragma once

#include <teff/options/option_row.hpp>
#include <teff/options/option_rows.hpp>

#include <cstddef>
#include <cstdio>
#include <span>
#include <string_view>

namespace teff {

inline constexpr std::size_t option_count = option_rows::all.size();

consteval option::option(const char* name) : place_(0) {
    while (std::string_view(option_rows::all[place_].name) != name)
        if (++place_ == option_count)
            throw "no option has this name";
}

// How many rows of type text come before the row with this index.
constexpr std::size_t text_options_before(std::size_t place) noexcept {
    std::size_t count = 0;
    for (std::size_t before = 0; before < place; ++before)
        count += option_rows::all[before].type == option_type::text ? 1 : 0;
    return count;
}

// All rows.
[[nodiscard]] std::span<const option_row> option_table() noexcept;

// The row of `which`.
[[nodiscard]] const option_row& row(option which) noexcept;

// The row with this name, written with underscores or dashes ("max_queued", "max-queued"); nullptr if there is none.
[[nodiscard]] const option_row* find_option(std::string_view name) noexcept;

// The row with this variable ("TEFF_MAX_QUEUED"); nullptr if there is none.
[[nodiscard]] const option_row* find_variable(std::string_view variable) noexcept;

// The option that was probably meant by `unknown`, an option name or variable that does not exist; nullptr if none is
// near.
[[nodiscard]] const option_row* nearest_option(std::string_view unknown) noexcept;

// Writes the page, in Markdown. False if writing failed. The text depends only on the table. A choice that only some
// builds have is mentioned in a remark, so that every build writes the same page.
[[nodiscard]] bool write_option_document(std::FILE* output) noexcept;

}  // namespace teff
