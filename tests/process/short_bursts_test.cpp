// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that hands over short bursts of tasks, again and again, until idle workers stay away: then tasks that need
// another thread still get one, and the process comes to rest.
#include <tests/child_process.hpp>
#include <tests/process/rest.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/fork_join.hpp>
#include <teff/parallel_for.hpp>
#include <teff/strand/running_thread.hpp>
#include <teff/task_group.hpp>
#include <teff/team/task_team.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
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

bool team_is_quiet() { return running_thread.member->team().is_quiet(); }

// Makes the calling thread's team quiet. Bursts may be long, if other processes run or a tool checks every access; so
// the team is told of short ones first. It is not quiet yet while a worker has a slot of it.
void become_quiet() {
    EXPECT_EQ(short_bursts(1), 4);
    auto& bursts = running_thread.member->team().idle().bursts();
    do {
        for (int i = 0; i < enough_bursts; ++i) {
            bursts.begin(1, false);
            bursts.end(1, false);
        }
        EXPECT_EQ(short_bursts(1), 4);
    } while (!team_is_quiet());
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
            become_quiet();
            two_tasks_meet();
        }
    }));
}

TEST(short_bursts, the_functions_of_a_fork_and_the_iterations_of_a_loop_still_meet) {
    expect_quiet(run_in_child([] {
        with_two_threads();
        for (int round = 0; round < 100; ++round) {
            become_quiet();
            meeting functions(2), iterations(2);
            fork_join([&] { functions.meet(); }, [&] { functions.meet(); });
            become_quiet();
            parallel_for(0, 2, [&](int) { iterations.meet(); });
        }
    }));
}

// The thread does not wait for its group: it hands over a task and then waits for that task only.
TEST(short_bursts, a_task_runs_while_the_thread_that_handed_it_over_is_elsewhere) {
    expect_quiet(run_in_child([] {
        with_two_threads();
        for (int round = 0; round < 100; ++round) {
            become_quiet();
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
                    become_quiet();
                    two_tasks_meet();
                }
            });
        for (std::thread& each : threads)
            each.join();
    }));
}

// Hands over short bursts until the condition holds.
void short_bursts_until(const std::atomic<bool>& condition) {
    while (!condition)
        EXPECT_EQ(short_bursts(1), 4);
}

TEST(short_bursts, of_one_thread_do_not_keep_two_tasks_of_another_from_meeting) {
    expect_quiet(run_in_child([] {
        with_two_threads();
        std::atomic<bool> have_met{false};
        std::thread other([&] { short_bursts_until(have_met); });
        for (int round = 0; round < 20; ++round) {
            become_quiet();
            two_tasks_meet();
        }
        have_met = true;
        other.join();
    }));
}

TEST(short_bursts, do_not_keep_a_task_of_an_older_group_waiting) {
    expect_quiet(run_in_child([] {
        with_two_threads();
        for (int round = 0; round < 20; ++round) {
            become_quiet();
            std::atomic<bool> has_run{false};
            task_group older;
            older.run([&] { has_run = true; });
            // The first of them belongs to the burst of the older task.
            EXPECT_EQ(short_bursts(2), 8);
            EXPECT_TRUE(!team_is_quiet() || has_run);
            short_bursts_until(has_run);
            older.wait();
        }
    }));
}

TEST(short_bursts, keep_nobody_away_while_a_worker_has_a_task) {
    expect_quiet(run_in_child([] {
        ::setenv("TEFF_NUM_THREADS", "3", 1);
        for (int round = 0; round < 20; ++round) {
            become_quiet();
            std::atomic<bool> has_begun{false}, may_end{false}, has_run{false};
            task_group background;
            background.run([&] {
                has_begun = true;
                while (!may_end)
                    std::this_thread::yield();
                two_tasks_meet();
                has_run = true;
            });
            while (!has_begun)
                std::this_thread::yield();
            // It belongs to the burst of the background task.
            EXPECT_EQ(short_bursts(1), 4);
            for (int i = 0; i < enough_bursts; ++i) {
                EXPECT_EQ(short_bursts(1), 4);
                EXPECT_FALSE(team_is_quiet());
            }
            may_end = true;
            short_bursts_until(has_run);
            background.wait();
        }
    }));
}

TEST(short_bursts, of_a_thread_that_ends_leave_no_worker_awake) {
    expect_quiet(run_in_child([] {
        with_two_threads();
        std::thread(become_quiet).join();
        EXPECT_TRUE(comes_to_rest());
    }));
}

TEST(short_bursts, leave_no_worker_awake_when_no_more_come) {
    expect_quiet(run_in_child([] {
        with_two_threads();
        for (int round = 0; round < 3; ++round) {
            become_quiet();
            EXPECT_TRUE(comes_to_rest());
            two_tasks_meet();
        }
    }));
}

TEST(short_bursts, after_a_fork_of_the_process_begin_anew) {
    expect_quiet(run_in_child([] {
        with_two_threads();
        become_quiet();
        expect_quiet(run_in_child([] {
            become_quiet();
            two_tasks_meet();
        }));
        two_tasks_meet();
    }));
}

}  // namespace
}  // namespace teff::testing
