// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork() in a function that has spawned dataflow tasks. If some of them have not ended, a child that goes on with their
// objects ends with a message; it neither crashes nor waits for a thread that does not exist there. If all have ended,
// the child goes on.
#include <tests/child_process.hpp>

#include <teff/base/backoff.hpp>
#include <teff/dataflow.hpp>
#include <teff/depend/names.hpp>
#include <teff/fork_join.hpp>

#include <atomic>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace teff::testing {
namespace {

constexpr std::string_view orphan_message = "a task that called fork() went on as a task in the child process";

class dataflow_fork : public ::testing::TestWithParam<const char*> {
protected:
    // With `sherwood` all tasks are deferred.
    options two_threads(const char* scheduler) const {
        return {.threads = 2, .scheduler = scheduler, .tracker = GetParam()};
    }

    // Calls `use` with an object in the child of a fork(), while a task that adds to the object runs on a thread of the
    // parent process.
    template <class Use>
    void expect_message(Use use) {
        for (const char* const scheduler : {"sherwood", "demand"}) {
            SCOPED_TRACE(scheduler);
            const child_outcome outcome = run_in_child([&] {
                execute(two_threads(scheduler), [&] {
                    std::atomic<bool> begun{false}, over{false};
                    auto sum = std::make_optional<object<int>>(0);
                    spawn([&](int& to) {
                        ++to;
                        begun = true;
                        while (!over)
                            yield_thread();
                    }, reduction(*sum));
                    while (!begun)
                        yield_thread();
                    const bool is_child = goes_on_as_child_ending_with(1);
                    if (is_child)
                        use(sum);
                    over = true;
                    sync();
                    EXPECT_EQ(sum->value(), 1);
                });
            });
            EXPECT_EQ(outcome.code(), 0) << outcome.status << outcome.errors;
            EXPECT_EQ(outcome.lines_with(orphan_message), 1U) << outcome.errors;
            EXPECT_EQ(outcome.lines_with(""), 1U) << outcome.errors;
        }
    }
};

INSTANTIATE_TEST_SUITE_P(, dataflow_fork, ::testing::ValuesIn([] {
    std::vector<const char*> names;
    for (const auto& each : tracker_names)
        names.push_back(each.name);
    return names;
}()), [](const auto& about) { return std::string(about.param); });

TEST_P(dataflow_fork, a_child_that_spawns_a_reduction_ends_with_a_message) {
    expect_message([](auto& sum) { spawn([](int& to) { ++to; }, reduction(*sum)); });
}

TEST_P(dataflow_fork, a_child_that_spawns_with_another_access_ends_with_a_message) {
    expect_message([](auto& sum) { spawn([](int& to) { ++to; }, commutative(*sum)); });
    expect_message([](auto& sum) { spawn([](int& to) { ++to; }, inout(*sum)); });
    expect_message([](auto& sum) { spawn([](int& to) { to = 1; }, out(*sum)); });
    expect_message([](auto& sum) { spawn([](const int&) {}, in(*sum)); });
}

TEST_P(dataflow_fork, a_child_that_reads_or_ends_the_object_ends_with_a_message) {
    expect_message([](auto& sum) { sum->value(); });
    expect_message([](auto& sum) { sum.reset(); });
    expect_message([](auto&) { sync(); });
}

// While the other thread is busy, `demand` queues a few tasks, and calls the rest at once, with a copy or the lock of
// the object.
TEST_P(dataflow_fork, a_child_that_returns_from_a_task_beside_others_ends_with_a_message) {
    const auto expect_message_beside = [this](auto with) {
        for (const char* const scheduler : {"sherwood", "demand"}) {
            SCOPED_TRACE(scheduler);
            const child_outcome outcome = run_in_child([&] {
                execute(two_threads(scheduler), [&] {
                    std::atomic<bool> begun{false}, over{false};
                    object<int> shared(0), other(0);
                    spawn([&](int&) {
                        begun = true;
                        while (!over)
                            yield_thread();
                    }, inout(other));
                    while (!begun)
                        yield_thread();
                    constexpr int count = 20;
                    for (int i = 1; i <= count; ++i)
                        spawn([&over, i](int& to) {
                            ++to;
                            if (i == count && !goes_on_as_child_ending_with(1))
                                over = true;
                        }, with(shared));
                    sync();
                    EXPECT_EQ(shared.value(), count);
                });
            });
            EXPECT_EQ(outcome.code(), 0) << outcome.status << outcome.errors;
            EXPECT_EQ(outcome.lines_with(orphan_message), 1U) << outcome.errors;
            EXPECT_EQ(outcome.lines_with(""), 1U) << outcome.errors;
        }
    };
    expect_message_beside([](object<int>& of) { return reduction(of); });
    expect_message_beside([](object<int>& of) { return commutative(of); });
}

// Its tasks wait for the one that has called fork().
TEST_P(dataflow_fork, a_child_that_returns_from_a_deferred_task_ends_with_a_message) {
    const child_outcome outcome = run_in_child([&] {
        execute(two_threads("sherwood"), [&] {
            object<int> value(0);
            spawn([](int& to) {
                goes_on_as_child_ending_with(1);
                to = 1;
            }, inout(value));
            for (int i = 0; i != 3; ++i)
                spawn([](int& to) { ++to; }, inout(value));
            sync();
            EXPECT_EQ(value.value(), 4);
        });
    });
    EXPECT_EQ(outcome.code(), 0) << outcome.status << outcome.errors;
    EXPECT_EQ(outcome.lines_with(orphan_message), 1U) << outcome.errors;
    EXPECT_EQ(outcome.lines_with(""), 1U) << outcome.errors;
}

TEST_P(dataflow_fork, a_child_goes_on_where_all_tasks_have_ended) {
    expect_quiet(run_in_child([&] {
        execute(two_threads("sherwood"), [&] {
            object<int> sum(0);
            const auto add = [&] {
                for (int i = 0; i != 10; ++i)
                    spawn([](int& to) { ++to; }, reduction(sum));
            };
            add();
            EXPECT_EQ(sum.value(), 10);
            const bool is_child = goes_on_as_child_ending_with(7);
            add();
            EXPECT_EQ(sum.value(), 20);
            fork_join([] {}, [] {});
            add();
            sync();
            EXPECT_EQ(sum.value(), 30);
            if (is_child)
                ::_exit(HasFailure() ? failed_expectation : 7);
        });
    }));
}

}  // namespace
}  // namespace teff::testing
