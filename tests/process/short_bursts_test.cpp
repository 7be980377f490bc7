// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that hands over short bursts of tasks, again and again, until idle workers stay away: then tasks that need
// another thread still get one, and the process comes to rest.
#include <tests/child_process.hpp>
#include <tests/process/rest.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/fork_join.hpp>
#include <teff/parallel_for.hpp>
#include <teff/task_group.hpp>

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace teff::testing {
namespace {

constexpr int enough_bursts = 200;

// Sums up in groups of four tasks that do next to nothing.
int short_bursts(int bursts) {
    int sum = 0;
    for (int i = 0; i < bursts; ++i) {
        int parts[4] = {};
        task_group group;
        for (int& part : parts)
            group.run([&part] { part = 1; });
        group.wait();
        sum += parts[0] + parts[1] + parts[2] + parts[3];
    }
    return sum;
}

// Returns when `parties` tasks have called it.
class meeting {
public:
    explicit meeting(int parties) : missing_(parties) {}
    void meet() {
        --missing_;
        while (missing_ > 0)
            std::this_thread::yield();
    }

private:
    std::atomic<int> missing_;
};

void two_tasks_meet() {
    meeting both(2);
    task_group group;
    group.run([&] { both.meet(); });
    group.run([&] { both.meet(); });
    group.wait();
}

void with_two_threads() { ::setenv("TEFF_NUM_THREADS", "2", 1); }

TEST(short_bursts, are_all_run) {
    expect_quiet(run_in_child([] {
        with_two_threads();
        EXPECT_EQ(short_bursts(20'000), 80'000);
    }));
}

TEST(short_bursts, tasks_that_wait_for_each_other_still_meet) {
    expect_quiet(run_in_child([] {
        with_two_threads();
        for (int round = 0; round < 100; ++round) {
            EXPECT_EQ(short_bursts(enough_bursts), 4 * enough_bursts);
            two_tasks_meet();
        }
    }));
}

TEST(short_bursts, the_functions_of_a_fork_and_the_iterations_of_a_loop_still_meet) {
    expect_quiet(run_in_child([] {
        with_two_threads();
        for (int round = 0; round < 100; ++round) {
            for (int i = 0; i < enough_bursts; ++i)
                parallel_for(0, 4, [](int) {});
            meeting functions(2), iterations(2);
            fork_join([&] { functions.meet(); }, [&] { functions.meet(); });
            parallel_for(0, 2, [&](int) { iterations.meet(); });
        }
    }));
}

// The thread does not wait for its group: it hands over a task and then waits for that task only.
TEST(short_bursts, a_task_runs_while_the_thread_that_handed_it_over_is_elsewhere) {
    expect_quiet(run_in_child([] {
        with_two_threads();
        for (int round = 0; round < 100; ++round) {
            EXPECT_EQ(short_bursts(enough_bursts), 4 * enough_bursts);
            std::atomic<bool> has_run{false};
            task_group group;
            group.run([&] { has_run = true; });
            while (!has_run)
                std::this_thread::yield();
            group.wait();
        }
    }));
}

TEST(short_bursts, of_many_threads_with_tasks_that_meet_now_and_then) {
    expect_quiet(run_in_child([] {
        with_two_threads();
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([] {
                for (int round = 0; round < 20; ++round) {
                    EXPECT_EQ(short_bursts(enough_bursts), 4 * enough_bursts);
                    two_tasks_meet();
                }
            });
        for (std::thread& each : threads)
            each.join();
    }));
}

TEST(short_bursts, of_a_thread_that_ends_leave_no_worker_awake) {
    expect_quiet(run_in_child([] {
        with_two_threads();
        std::thread([] { EXPECT_EQ(short_bursts(enough_bursts), 4 * enough_bursts); }).join();
        EXPECT_TRUE(comes_to_rest());
    }));
}

TEST(short_bursts, leave_no_worker_awake_when_no_more_come) {
    expect_quiet(run_in_child([] {
        with_two_threads();
        for (int round = 0; round < 3; ++round) {
            EXPECT_EQ(short_bursts(enough_bursts), 4 * enough_bursts);
            EXPECT_TRUE(comes_to_rest());
            two_tasks_meet();
        }
    }));
}

TEST(short_bursts, after_a_fork_of_the_process_begin_anew) {
    expect_quiet(run_in_child([] {
        with_two_threads();
        EXPECT_EQ(short_bursts(enough_bursts), 4 * enough_bursts);
        expect_quiet(run_in_child([] {
            EXPECT_EQ(short_bursts(enough_bursts), 4 * enough_bursts);
            two_tasks_meet();
        }));
        two_tasks_meet();
    }));
}

}  // namespace
}  // namespace teff::testing
