// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every scheduler with every reclaimer that concerns it, as test types and as rows of names.
#pragma once

#include <teff/scheduler/schedulers.hpp>

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <tuple>
#include <vector>

namespace conformance {

// A row of the lists: `scheduler_for<Item>` is the class that a call with these two names runs on.
template <class Entry, class Reclaimer>
struct choice {
    template <class Item>
    using scheduler_for = typename Entry::template type<Item, Reclaimer>;

    // The settings as a call with these names has them.
    static teff::scheduler_settings with(teff::scheduler_settings settings) {
        Entry::select(settings);
        return settings;
    }

    static std::string scheduler_name() { return std::string(Entry::name); }
    static constexpr bool shares_queued = Entry::shares_queued;
    static std::string reclaimer_name() { return std::string(Reclaimer::name); }
    static std::string name() { return Entry::reclaims ? scheduler_name() + "_" + reclaimer_name() : scheduler_name(); }
};

// A scheduler that frees nothing is listed with the first reclaimer only.
template <class Entry, class First, class... More>
auto choices_of_entry(teff::reclaimer_list<First, More...>) {
    if constexpr (Entry::reclaims)
        return std::tuple<choice<Entry, First>, choice<Entry, More>...>{};
    else
        return std::tuple<choice<Entry, First>>{};
}

template <class... Entries>
auto choices_of(teff::scheduler_list<Entries...>) {
    return std::tuple_cat(choices_of_entry<Entries>(teff::all_reclaimers{})...);
}

using all_choices = decltype(choices_of(teff::all_schedulers{}));

// The choices as types of a typed test, and their names.
template <class>
struct as_test_types;
template <class... Choices>
struct as_test_types<std::tuple<Choices...>> {
    using types = testing::Types<Choices...>;
};
using choice_types = as_test_types<all_choices>::types;

struct choice_type_names {
    template <class Choice>
    static std::string GetName(int) {
        return Choice::name();
    }
};

// The same as values, for tests that choose by name at run time.
struct named_row {
    std::string name, scheduler, reclaimer;
    bool shares_queued;
    friend std::ostream& operator<<(std::ostream& to, const named_row& row) { return to << row.name; }
};

inline std::vector<named_row> all_rows() {
    return std::apply(
        [](auto... each) {
            return std::vector<named_row>{
                {each.name(), each.scheduler_name(), each.reclaimer_name(), each.shares_queued}...};
        },
        all_choices{});
}

// Those whose queued items may be taken by anybody: tasks may wait for each other if there are threads enough.
inline std::vector<named_row> rows_that_share() {
    std::vector<named_row> rows = all_rows();
    std::erase_if(rows, [](const named_row& each) { return !each.shares_queued; });
    return rows;
}

}  // namespace conformance
