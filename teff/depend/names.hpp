// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only table of dependence trackers: the name that a user writes, and one sentence for `teff info`. Each name is
// also the name of the class teff::depend::NAME, which states the name, too: tracker.cpp finds the class of a row by
// it. A user may also leave the choice to the library.
#pragma once

#include <teff/base/names.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace teff {

inline constexpr named_choice tracker_names[] = {
    {"tickets", "counters instead of edges, and a pool of waiting tasks by depth (Vandierendonck et al., section 4.4)"},
    {"list", "one list of waiting tasks per object, with marks between generations (section 4.3)"},
    {"embedded_hypergraph", "edges between generations, without memory for lists (section 4.2)"},
    {"hypergraph", "edges between generations (section 4.2)"},
    {"embedded_graph", "an edge per pair of dependent tasks, lists of tasks without memory (section 4.1.1)"},
    {"graph", "an edge per pair of dependent tasks (section 4.1)"},
};

// The choices of a user: the default, and every tracker.
inline constexpr auto tracker_choices = [] {
    std::array<named_choice, std::size(tracker_names) + 1> made{
        {{"auto", "tickets for at most two threads (OpenMP: list), embedded_hypergraph for more"}}};
    std::copy(std::begin(tracker_names), std::end(tracker_names), made.begin() + 1);
    return made;
}();

// The index of the row with this name; the number of rows if there is none.
constexpr std::size_t tracker_row(std::string_view name) noexcept {
    std::size_t row = 0;
    while (row != std::size(tracker_names) && tracker_names[row].name != name)
        ++row;
    return row;
}

// The row of tracker_names for a choice. With tickets each end of a task may have to look through the pool of waiting
// tasks, which all threads share. Two threads do so faster than they follow edges; sixteen wait for each other.
constexpr std::size_t tracker_for(std::size_t choice, unsigned threads) noexcept {
    constexpr std::size_t for_two = tracker_row("tickets"), for_many = tracker_row("embedded_hypergraph");
    static_assert(std::max(for_two, for_many) < std::size(tracker_names));
    if (choice != 0)
        return choice - 1;
    return threads <= 2 ? for_two : for_many;
}

}  // namespace teff
