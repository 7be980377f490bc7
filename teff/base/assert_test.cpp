// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages, and which checks stop the program.
#include <teff/base/assert.hpp>

#include <tests/child_process.hpp>

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

namespace {

TEST(messages, a_warning_is_one_line_with_the_name_in_front) {
    testing::internal::CaptureStderr();
    errno = EDOM;
    teff::warn("%d of %s", 7, "nine");
    EXPECT_EQ(errno, EDOM);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "teff: 7 of nine\n");
}

TEST(messages, a_long_warning_is_cut_off) {
    const std::string text(5000, 'x');
    testing::internal::CaptureStderr();
    teff::warn("%s", text.c_str());
    const std::string line = testing::internal::GetCapturedStderr();
    EXPECT_LT(line.size(), 1025U);
    EXPECT_EQ(line.substr(0, 8), "teff: xx");
    EXPECT_EQ(line.back(), '\n');
}

TEST(messages, a_name_in_a_warning_cannot_end_its_line_or_move_the_cursor) {
    testing::internal::CaptureStderr();
    teff::warn("fiber '%s'", "a\nteff: b\x1b[2J\xff\u00fc");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "teff: fiber 'a\\nteff: b\\x1b[2J\uFFFD\u00fc'\n");
    testing::internal::CaptureStderr();
    // Each character becomes four, so the line is cut off between two of them.
    teff::warn("%s", std::string(900, '\x01').c_str());
    const std::string line = testing::internal::GetCapturedStderr();
    EXPECT_LT(line.size(), 1025U);
    EXPECT_TRUE(line.ends_with("\\x01\n")) << line;
}

TEST(messages_death, a_failed_check_names_component_cause_and_remedy) {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    TEFF_CHECK(1 + 1 == 2, "sums", "they are wrong", "count again");
    EXPECT_DEATH(TEFF_CHECK(1 + 1 == 3, "sums", "they are wrong", "count again"),
                 "teff: sums: they are wrong; count again");
}

TEST(messages_death, of_several_threads_that_fail_at_once_one_says_so) {
    for (int round = 0; round < 20; ++round) {
        const teff::testing::child_outcome outcome = teff::testing::run_in_child([] {
            std::vector<std::thread> all;
            for (int i = 0; i < 4; ++i)
                all.emplace_back([] { teff::fatal("sums", "they are wrong", "count again"); });
            for (std::thread& each : all)
                each.join();
        });
        EXPECT_TRUE(WIFSIGNALED(outcome.status) && WTERMSIG(outcome.status) == SIGABRT) << outcome.status;
        EXPECT_EQ(outcome.errors, "teff: sums: they are wrong; count again\n");
    }
}

TEST(messages_death, an_assertion_stops_debug_builds_only) {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_DEBUG_DEATH(TEFF_ASSERT(false, "a broken invariant"), "a broken invariant");
}

}  // namespace
