// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Either the k-th thread cannot be created, for every k, or no thread from the k-th on. The work continues with the
// threads that exist, the result is right, and there is exactly one warning. The tests use seventeen threads, so that
// the pool starts them in a tree.
#include <tests/child_process.hpp>
#include <tests/fault/thread_fault.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/base/backoff.hpp>
#include <teff/pool/pool.hpp>
#include <teff/team/region.hpp>

#include <algorithm>
#include <atomic>
#include <climits>
#include <gtest/gtest.h>
#include <string_view>

namespace teff::testing {
namespace {

constexpr int workers = 16;
constexpr std::uint32_t depth = 12;

constexpr std::string_view warning = "a worker thread could not be started";

struct region_visit {
    std::atomic<unsigned> arrived{0};

    // A barrier of all members: it opens only if each member has a thread.
    static void meet(void* argument, unsigned, unsigned size) noexcept {
        auto& visit = *static_cast<region_visit*>(argument);
        ++visit.arrived;
        while (visit.arrived < size)
            yield_thread();
    }
};

unsigned size_of_region(unsigned wanted) {
    region_visit visit;
    const unsigned size = run_region(wanted, region_visit::meet, &visit);
    EXPECT_EQ(visit.arrived, size);
    return size;
}

// A region of one member needs no worker, but it is formed only when the pool knows which threads could be started.
void wait_until_started() { EXPECT_EQ(size_of_region(1), 1U); }

class thread_fault_each_scheduler : public each_scheduler {
protected:
    // Runs a reduction in a new process in which the creations first..last are refused.
    void expect_one_warning(int first, int last) {
        const child_outcome outcome = run_in_child([&] {
            thread_faults.refuse(first, last);
            EXPECT_TRUE(counts_right(with_threads(workers + 1), depth));
            wait_until_started();
            EXPECT_EQ(thread_faults.attempts, workers) << "each of them is tried once";
            const int refused = std::min(last, workers) - first + 1;
            EXPECT_EQ(pool::instance().worker_count(), static_cast<unsigned>(workers - refused));
            EXPECT_TRUE(counts_right(with_threads(workers + 1), depth));
        });
        EXPECT_EQ(outcome.code(), 0) << outcome.errors;
        EXPECT_EQ(outcome.lines_with(warning), 1U) << outcome.errors;
        EXPECT_EQ(outcome.lines_with(""), 1U) << outcome.errors;
    }
};

INSTANTIATE_TEST_SUITE_P(, thread_fault_each_scheduler, every_scheduler_name(), scheduler_case_name);

TEST_P(thread_fault_each_scheduler, the_kth_thread_cannot_be_created) {
    for (int k = 1; k <= workers; ++k) {
        SCOPED_TRACE(k);
        expect_one_warning(k, k);
    }
}

TEST_P(thread_fault_each_scheduler, no_thread_can_be_created) { expect_one_warning(1, INT_MAX); }

TEST_P(thread_fault_each_scheduler, no_thread_from_the_kth_on_can_be_created) {
    for (const int k : {2, 3, 8, 9, 15, 16}) {
        SCOPED_TRACE(k);
        expect_one_warning(k, INT_MAX);
    }
}

TEST_P(thread_fault_each_scheduler, without_faults_there_is_no_warning) {
    expect_quiet(run_in_child([&] {
        EXPECT_TRUE(counts_right(with_threads(workers + 1), depth));
        wait_until_started();
        EXPECT_EQ(pool::instance().worker_count(), unsigned{workers});
    }));
}

TEST(thread_fault, a_region_is_smaller_by_the_threads_that_cannot_be_created) {
    for (int k = 1; k <= workers; ++k) {
        SCOPED_TRACE(k);
        const child_outcome outcome = run_in_child([&] {
            thread_faults.refuse(k, INT_MAX);
            EXPECT_EQ(size_of_region(workers + 1), static_cast<unsigned>(k));
            EXPECT_EQ(size_of_region(workers + 1), static_cast<unsigned>(k));
        });
        EXPECT_EQ(outcome.code(), 0) << outcome.errors;
        EXPECT_EQ(outcome.lines_with(warning), 1U) << outcome.errors;
    }
}

TEST(thread_fault, a_region_replaces_a_thread_that_failed_once) {
    for (int k = 1; k <= workers; ++k) {
        SCOPED_TRACE(k);
        const child_outcome outcome = run_in_child([&] {
            thread_faults.refuse(k, k);
            EXPECT_EQ(size_of_region(workers + 1), unsigned{workers + 1});
        });
        EXPECT_EQ(outcome.code(), 0) << outcome.errors;
        EXPECT_EQ(outcome.lines_with(warning), 1U) << outcome.errors;
    }
}

TEST(thread_fault, a_region_inside_a_region_is_smaller_too_with_one_warning) {
    const child_outcome outcome = run_in_child([] {
        struct nested {
            static void run(void* argument, unsigned member, unsigned size) noexcept {
                auto& visit = *static_cast<region_visit*>(argument);
                region_visit::meet(&visit, member, size);
                // All four workers are members of the outer region, and no more can be started.
                if (member == 0) {
                    EXPECT_EQ(size_of_region(3), 1U);
                }
                // No member leaves before the inner region was formed.
                ++visit.arrived;
                while (visit.arrived < 2 * size)
                    yield_thread();
            }
        };
        thread_faults.refuse(5, INT_MAX);
        region_visit visit;
        EXPECT_EQ(run_region(5, nested::run, &visit), 5U);
    });
    EXPECT_EQ(outcome.code(), 0) << outcome.errors;
    EXPECT_EQ(outcome.lines_with(warning), 1U) << outcome.errors;
}

}  // namespace
}  // namespace teff::testing
