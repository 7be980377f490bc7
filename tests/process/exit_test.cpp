// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exit() is called while the runtime works: it waits for no task, does not crash, and the process ends with the given
// status.
#include <tests/child_process.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/base/backoff.hpp>
#include <teff/team/region.hpp>

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <tuple>

namespace teff::testing {
namespace {

constexpr std::uint32_t depth = 10;
constexpr int status_of_exit = 7;
constexpr int repetitions = 5;

class exit_each_scheduler : public each_scheduler {};

INSTANTIATE_TEST_SUITE_P(, exit_each_scheduler, every_scheduler_name(), scheduler_case_name);

TEST_P(exit_each_scheduler, right_after_a_run) {
    for (int i = 0; i < repetitions; ++i)
        expect_quiet(run_in_child([&] { std::exit(counts_right(with_threads(4), depth) ? status_of_exit : 1); }),
                     status_of_exit);
}

TEST_P(exit_each_scheduler, while_the_tasks_of_another_thread_run) {
    for (int i = 0; i < repetitions; ++i)
        expect_quiet(run_in_child([&] {
            static std::atomic<int> running{0};
            const auto endless = [](const enqueue& enq, std::uint32_t more) -> long {
                if (more > 0)
                    enq(more - 1);
                for (++running;;)
                    yield_thread();
            };
            std::thread([&, call = with_threads(3)] { reduce(call, endless, 1); }).detach();
            while (running == 0)
                yield_thread();
            std::exit(status_of_exit);
        }), status_of_exit);
}

TEST_P(exit_each_scheduler, while_short_tasks_of_another_thread_come_and_go) {
    for (int i = 0; i < repetitions; ++i)
        expect_quiet(run_in_child([&] {
            static std::atomic<int> runs{0};
            // A copy of the options, since exit() destroys the tests' parameters.
            std::thread([call = with_threads(3)] {
                for (;; ++runs)
                    counts_right(call, depth);
            }).detach();
            while (runs < 3)
                yield_thread();
            std::exit(status_of_exit);
        }), status_of_exit);
}

TEST_P(exit_each_scheduler, work_in_a_function_registered_for_exit_is_done) {
    static const char* scheduler;
    scheduler = GetParam();
    expect_quiet(run_in_child([&] {
        std::atexit([] { ::_exit(counts_right({.threads = 4, .scheduler = scheduler}, depth) ? status_of_exit : 1); });
        EXPECT_TRUE(counts_right(with_threads(4), depth));
        std::exit(1);
    }), status_of_exit);
}

// The caller of the region is not the process's first thread, so exit() destroys that thread's thread-local objects,
// too.
TEST(exit_inside_region, ends_the_process_while_the_other_members_run) {
    for (int i = 0; i < repetitions; ++i)
        expect_quiet(run_in_child([] {
            static std::atomic<unsigned> begun{0};
            std::thread([] {
                teff::run_region(
                    3,
                    [](void*, unsigned member, unsigned size) noexcept {
                        ++begun;
                        while (member != 0 || begun < size)
                            yield_thread();
                        std::exit(status_of_exit);
                    },
                    nullptr);
            }).join();
            ::_exit(1);
        }), status_of_exit);
}

class exit_inside_task : public ::testing::TestWithParam<std::tuple<const char*, thread_kind>> {};

INSTANTIATE_TEST_SUITE_P(, exit_inside_task,
    ::testing::Combine(every_scheduler_name(), ::testing::Values(thread_kind::caller, thread_kind::worker)),
    [](const auto& about) {
        const bool on_caller = std::get<1>(about.param) == thread_kind::caller;
        return std::string(std::get<0>(about.param)) + (on_caller ? "_on_the_caller" : "_on_a_worker");
    });

TEST_P(exit_inside_task, ends_the_process_with_its_status) {
    const auto [scheduler, kind] = GetParam();
    const options call{.threads = 3, .scheduler = scheduler};
    for (int i = 0; i < repetitions; ++i)
        expect_quiet(run_in_child([&, where = kind] {
            act_inside_task(call, where, [] { std::exit(status_of_exit); });
            ::_exit(1);
        }), status_of_exit);
}

}  // namespace
}  // namespace teff::testing
