// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every scheduler with every reclaimer that it can use, by name.
#pragma once

#include <teff/reclaim/names.hpp>
#include <teff/schedulers.hpp>
#include <tests/usable_reclaimers.hpp>

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

namespace conformance {

struct named_row {
    std::string name, scheduler, reclaimer, rescue;
    teff::scheduler_traits traits;
    friend std::ostream& operator<<(std::ostream& to, const named_row& row) { return to << row.name; }
};

struct row_names {
    std::string operator()(const testing::TestParamInfo<named_row>& about) const { return about.param.name; }
};

// A scheduler that never frees memory is listed with the first reclaimer only.
inline std::vector<named_row> all_rows() {
    std::vector<named_row> rows;
    for (const teff::scheduler_traits& traits : teff::schedulers()) {
        const std::string scheduler = traits.name;
        for (const teff::named_choice& reclaimer : teff::reclaimer_names) {
            if (!teff::testing::can_be_used(reclaimer.name))
                continue;
            const std::string name = traits.reclaims() ? scheduler + "_" + reclaimer.name : scheduler;
            rows.push_back({name, scheduler, reclaimer.name, "off", traits});
            if (!traits.reclaims())
                break;
        }
    }
    return rows;
}

// The schedulers that bind items to a member, with the option `rescue`.
inline std::vector<named_row> rows_with_rescue() {
    std::vector<named_row> rows = all_rows();
    std::erase_if(rows, [](const named_row& each) { return !each.traits.binds; });
    for (named_row& each : rows) {
        each.name += "_rescue";
        each.rescue = "on";
    }
    return rows;
}

// The schedulers whose queued items any member may take, because of that option or without it. On these, tasks may wait
// for each other if there are enough threads.
inline std::vector<named_row> rows_that_share() {
    std::vector<named_row> rows = all_rows();
    std::erase_if(rows, [](const named_row& each) { return each.traits.binds; });
    for (const named_row& each : rows_with_rescue())
        rows.push_back(each);
    return rows;
}

}  // namespace conformance
