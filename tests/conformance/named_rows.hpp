// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every scheduler with every reclaimer that concerns it, by name.
#pragma once

#include <teff/reclaim/names.hpp>
#include <teff/scheduler/schedulers.hpp>

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

namespace conformance {

struct named_row {
    std::string name, scheduler, reclaimer;
    bool shares_queued;
    friend std::ostream& operator<<(std::ostream& to, const named_row& row) { return to << row.name; }
};

struct row_names {
    std::string operator()(const testing::TestParamInfo<named_row>& about) const { return about.param.name; }
};

// A scheduler that frees nothing is listed with the first reclaimer only.
template <class Entry>
void add_rows(std::vector<named_row>& rows) {
    const std::string scheduler(Entry::name);
    for (const teff::named_choice& reclaimer : teff::reclaimer_names) {
        const std::string name = Entry::reclaims ? scheduler + "_" + reclaimer.name : scheduler;
        rows.push_back({name, scheduler, reclaimer.name, Entry::shares_queued});
        if (!Entry::reclaims)
            break;
    }
}

inline std::vector<named_row> all_rows() {
    std::vector<named_row> rows;
    [&rows]<class... Entries>(teff::scheduler_list<Entries...>) {
        (add_rows<Entries>(rows), ...);
    }(teff::all_schedulers{});
    return rows;
}

// Those whose queued items may be taken by anybody: tasks may wait for each other if there are threads enough.
inline std::vector<named_row> rows_that_share() {
    std::vector<named_row> rows = all_rows();
    std::erase_if(rows, [](const named_row& each) { return !each.shares_queued; });
    return rows;
}

}  // namespace conformance
