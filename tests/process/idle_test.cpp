// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shortly after its last task the process uses no CPU: its workers sleep, and nothing wakes them. How soon this
// happens depends on the load of the machine, so the tests bound the CPU time that is used until then, and not the
// real time.
#include <tests/child_process.hpp>
#include <tests/process/rest.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/fork_join.hpp>
#include <teff/pool/pool.hpp>
#include <teff/schedulers.hpp>
#include <teff/threads.hpp>

#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>

namespace teff::testing {
namespace {

class idle_each_scheduler : public each_scheduler {};

INSTANTIATE_TEST_SUITE_P(, idle_each_scheduler, every_scheduler_name(), scheduler_case_name);

TEST(idle, a_process_without_tasks_uses_no_cpu) {
    expect_quiet(run_in_child([] {
        for (const scheduler_traits& each : schedulers())
            EXPECT_TRUE(counts_right({.threads = 8, .scheduler = each.name}, 14)) << each.name;
        EXPECT_TRUE(comes_to_rest());
    }));
}

// Not a unit test: there, other cases leave workers behind that wait in a kept team and not in the pool.
TEST(idle, every_worker_of_the_pool_falls_asleep) {
    expect_quiet(run_in_child([] {
        pool& workers = pool::instance();
        workers.ensure_workers(4);
        while (workers.idle().sleeping() != workers.worker_count())
            ::sched_yield();
        EXPECT_EQ(workers.idle().searching(), 0U);
    }));
}

// The caller runs one long task. The workers cannot get any, so they must sleep, too.
TEST_P(idle_each_scheduler, workers_of_a_team_without_work_for_them_use_no_cpu) {
    expect_quiet(run_in_child([&] {
        bool at_rest = false;
        const auto body = [&](const enqueue&, std::uint32_t) -> long {
            at_rest = comes_to_rest();
            return 1;
        };
        EXPECT_TRUE(counts_right(with_threads(8), 14));
        EXPECT_EQ(reduce(with_threads(8), body), 1);
        EXPECT_TRUE(at_rest);
    }));
}

// A fiber sleeps while nothing else is to be done: neither the workers nor the thread that will wake it use the CPU.
TEST_P(idle_each_scheduler, a_process_whose_fibers_sleep_uses_no_cpu) {
    expect_quiet(run_in_child([&] {
        bool at_rest = false;
        execute(with_threads(8), [&] {
            fiber sleeper([] { this_fiber::sleep_for(std::chrono::seconds(2)); });
            std::thread measures([&] { at_rest = comes_to_rest(); });
            sleeper.join();
            measures.join();
        });
        EXPECT_TRUE(at_rest);
    }));
}

}  // namespace
}  // namespace teff::testing
