// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the conformance tests of reductions share: every scheduler and reclaimer by name.
#pragma once

#include <tests/conformance/named_rows.hpp>
#include <tests/conformance/tracked.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/options.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace conformance {

using namespace teff::testing;
using task = tracked<>;

// Whether a reduction of moderate size finds its sum: the pool works.
inline bool works(const teff::options& call) { return counts_right(call, 8); }

// A fixture whose parameter is a scheduler with a reclaimer. Whatever a test does, no task may be left.
class each_choice : public testing::TestWithParam<named_row> {
protected:
    teff::options with_threads(long threads) const {
        return {.threads = threads, .scheduler = GetParam().scheduler, .reclaimer = GetParam().reclaimer};
    }
    void TearDown() override { task::expect_none_alive(); }
};

// For what stands on top of the schedulers. Under sanitizers with one reclaimer.
inline std::vector<named_row> front_end_rows() {
    std::vector<named_row> rows = all_rows();
    if (sanitized)
        std::erase_if(rows, [schedulers = tested_schedulers()](const named_row& each) {
            return std::ranges::find(schedulers, each.scheduler) == schedulers.end() ||
                   each.reclaimer != teff::reclaimer_names[0].name;
        });
    return rows;
}

inline constexpr long thread_counts[] = {1, 2, 5, sanitized ? 9 : 16, sanitized ? 16 : 64};

}  // namespace conformance
