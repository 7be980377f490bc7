// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork() in a process that uses fibers: the child can use all of the layer anew, whatever other threads of the parent
// were doing with it.
#include <tests/child_process.hpp>
#include <tests/emulation.hpp>

#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <thread>

namespace teff::testing {
namespace {

using namespace std::chrono_literals;

// 0: fibers that sleep and wait for each other gave the right result, and none are counted afterwards.
int code_of_new_work() {
    std::atomic<int> ended{0};
    execute({.threads = 3}, [&] {
        sync([&] {
            for (int i = 0; i < 20; ++i)
                begin([&ended, i] {
                    this_fiber::sleep_for(i * 50us);
                    ended.fetch_add(1);
                });
        });
    });
    const fiber_counts counts = count_fibers();
    return ended.load() == 20 && counts.fibers + counts.running + counts.blocked == 0 ? 0 : 1;
}

TEST(threads_fork, a_child_starts_a_timer_of_its_own) {
    expect_quiet(run_in_child([] {
        EXPECT_EQ(code_of_new_work(), 0);
        EXPECT_TRUE(ended_with(status_of_fork(code_of_new_work), 0));
        EXPECT_EQ(code_of_new_work(), 0);
    }));
}

// Other threads change the timer's state all the time. The first fork comes after the runtime's first use has ended: in
// a child that is forked during another thread's call of pthread_once(), ThreadSanitizer's waits for ever (glibc's
// starts again).
TEST(threads_fork, while_fibers_of_the_parent_sleep) {
    if (!can_fork_beside_busy_threads)
        GTEST_SKIP() << "the child of this tool may wait for ever for a lock of the tool";
    expect_quiet(run_in_child([] {
        constexpr int fibers = 10;
        std::latch all_have_slept(fibers);
        std::atomic<bool> enough{false};
        std::thread busy([&] {
            execute({.threads = 3}, [&] {
                coforall(0, fibers, [&](int i) {
                    this_fiber::sleep_for(100us);
                    all_have_slept.count_down();
                    while (!enough.load())
                        this_fiber::sleep_for(i * 10us);
                });
            });
        });
        all_have_slept.wait();
        for (int times = 0; times < 20; ++times)
            EXPECT_TRUE(ended_with(status_of_fork(code_of_new_work), 0));
        enough.store(true);
        busy.join();
    }));
}

}  // namespace
}  // namespace teff::testing
