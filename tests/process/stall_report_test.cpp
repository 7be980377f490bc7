// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The option stall_report_s: a caller that sleeps longer than this, because the last task takes long on a worker,
// reports the state of the workers. In these tests that task ends only when it has read the report, so the result
// does not depend on timing.
#include <tests/child_process.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/runtime/region.hpp>

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace teff::testing {
namespace {

// Replaces stderr, so that a task can read what the runtime writes.
class captured_errors {
public:
    captured_errors() {
        EXPECT_EQ(::pipe(ends_), 0);
        ::dup2(ends_[1], STDERR_FILENO);
    }
    // Blocks until the given text was written. Returns false if stderr was closed first.
    bool wait_for(std::string_view text) {
        char piece[1024];
        while (seen_.find(text) == std::string::npos) {
            const ssize_t length = ::read(ends_[0], piece, sizeof piece);
            if (length <= 0)
                return false;
            seen_.append(piece, static_cast<std::size_t>(length));
        }
        return true;
    }

private:
    int ends_[2];
    std::string seen_;
};

class stall_report_each_scheduler : public each_scheduler {};

INSTANTIATE_TEST_SUITE_P(, stall_report_each_scheduler, every_scheduler_name(), scheduler_case_name);

TEST_P(stall_report_each_scheduler, tells_of_the_pool_and_the_team_while_the_caller_sleeps) {
    expect_quiet(run_in_child([&] {
        ::setenv("TEFF_STALL_REPORT_S", "1", 1);
        captured_errors errors;
        EXPECT_TRUE(act_inside_task(with_threads(2), thread_kind::worker, [&] {
            EXPECT_TRUE(errors.wait_for("teff: pool: 1 workers"));
            EXPECT_TRUE(errors.wait_for("teff: team: 1 members"));
        }));
    }));
}

TEST(stall_report, tells_of_a_region_whose_member_does_not_come_back) {
    expect_quiet(run_in_child([] {
        ::setenv("TEFF_STALL_REPORT_S", "1", 1);
        captured_errors errors;
        const auto body = [](void* argument, unsigned member, unsigned) noexcept {
            if (member == 1) {
                EXPECT_TRUE(static_cast<captured_errors*>(argument)->wait_for("teff: team: 1 members"));
            }
        };
        EXPECT_EQ(run_region(2, body, &errors), 2U);
    }));
}

}  // namespace
}  // namespace teff::testing
