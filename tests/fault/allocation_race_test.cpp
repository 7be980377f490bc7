// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations fail while several threads work, for every scheduler. This test lets some of the allocations of a
// reduction fail; allocation_fault_test.cpp tries every allocation, but on one scheduler of each class.
#include <tests/child_process.hpp>
#include <tests/fault/allocation_fault.hpp>
#include <tests/reduction_samples.hpp>

#include <gtest/gtest.h>
#include <new>

namespace teff::testing {
namespace {

constexpr std::uint32_t tree_size = 1000;

class allocation_race_each_scheduler : public each_scheduler {};

INSTANTIATE_TEST_SUITE_P(, allocation_race_each_scheduler, every_scheduler_name(), scheduler_case_name);

// The first, second, fourth, seventh allocation and so on fails, until a run needs fewer: once that one alone, and
// once all from that one on.
TEST_P(allocation_race_each_scheduler, a_tree_counts_its_tasks_or_throws) {
    expect_quiet(run_in_child([&] {
        const options call = with_threads(3);
        EXPECT_EQ(reduce(call, tree_of(tree_size)), tree_size);
        for (const fault_span span : {fault_span::one, fault_span::all_after}) {
            long thrown = 0;
            bool reached = true;
            for (long k = 1; reached && !::testing::Test::HasFailure(); k += k / 2 + 1) {
                allocation_faults.arm(k, span);
                try {
                    EXPECT_EQ(reduce(call, tree_of(tree_size)), tree_size) << "allocation " << k;
                } catch (const std::bad_alloc&) {
                    ++thrown;
                }
                allocation_faults.disarm();
                reached = allocation_faults.failed != 0;
            }
            EXPECT_GT(thrown, 0) << "without a team there is no run, so the first one must throw";
        }
    }));
}

}  // namespace
}  // namespace teff::testing
