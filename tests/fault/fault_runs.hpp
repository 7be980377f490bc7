// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: runs a computation again and again, each time with another allocation failing. Each run either returns the
// right result or throws std::bad_alloc, loses no memory, and leaves the runtime usable.
#pragma once

#include <tests/fault/allocation_fault.hpp>

#include <teff/options.hpp>

#include <gtest/gtest.h>

#include <new>

namespace teff::testing {

// A computation and its result.
struct sample {
    long (*run)(const options&);
    long expected;
};

struct fault_count {
    long right = 0;
    long thrown = 0;
    long needed = 0;  // allocations of a run in which none failed
};

// Runs the sample with the k-th allocation failing, for k = 1, 2, ... until a run needs fewer.
inline fault_count run_with_faults(const sample& tried, const options& call, fault_span span) {
    fault_count result;
    EXPECT_EQ(tried.run(call), tried.expected);
    for (long k = 1;; ++k) {
        const long live_before = allocation_faults.live;
        allocation_faults.arm(k, span);
        try {
            const long counted = tried.run(call);
            allocation_faults.disarm();
            EXPECT_EQ(counted, tried.expected) << "allocation " << k;
            ++result.right;
        } catch (const std::bad_alloc&) {
            allocation_faults.disarm();
            ++result.thrown;
        }
        EXPECT_EQ(allocation_faults.live, live_before) << "allocation " << k;
        EXPECT_EQ(tried.run(call), tried.expected) << "after allocation " << k;
        if (allocation_faults.failed == 0) {
            result.needed = k - 1;
            return result;
        }
        if (::testing::Test::HasFailure())
            return result;
    }
}

}  // namespace teff::testing
