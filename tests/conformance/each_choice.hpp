// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the conformance tests of reductions share: every scheduler and reclaimer by name.
#pragma once

#include <tests/conformance/named_rows.hpp>
#include <tests/conformance/tracked.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/fork_join.hpp>
#include <teff/options.hpp>

#include <gtest/gtest.h>

namespace conformance {

using namespace teff::testing;
using task = tracked<>;

// Whether a reduction of moderate size gives the right sum, that is, whether the pool still works.
inline bool works(const teff::options& call) { return counts_right(call, 8); }

// A fixture whose parameter is a scheduler with a reclaimer. No test may leave a task alive.
class each_choice : public testing::TestWithParam<named_row> {
protected:
    teff::options with_threads(long threads) const {
        return {.threads = threads,
                .scheduler = GetParam().scheduler,
                .reclaimer = GetParam().reclaimer,
                .rescue = GetParam().rescue};
    }
    template <class F>
    void for_some_thread_counts(F&& f) const {
        for (const long threads : {1L, 2L, 5L})
            teff::execute(with_threads(threads), f);
    }
    void TearDown() override { task::expect_none_alive(); }
};

inline constexpr long thread_counts[] = {1, 2, 5, 16, 64};

}  // namespace conformance
