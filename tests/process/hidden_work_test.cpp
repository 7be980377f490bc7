// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that a thread keeps to itself while it is inside a long function: where the kernel refuses what force needs,
// in a team that was stopped, and across a fork().
#include <tests/child_process.hpp>
#include <tests/emulation.hpp>
#include <tests/process/rest.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/reduce.hpp>
#include <teff/task_group.hpp>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <thread>

namespace teff::testing {
namespace {

// From here on membarrier() fails in this process, as under a container's filter of system calls.
void refuse_membarrier() {
    ASSERT_EQ(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    sock_filter rules[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                           BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_membarrier, 0, 1),
                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const sock_fprog filter{std::size(rules), rules};
    ASSERT_EQ(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), 0);
    ASSERT_EQ(::syscall(__NR_membarrier, 0, 0, 0), -1);
}

void wait_until(const std::atomic<bool>& condition) {
    while (!condition)
        std::this_thread::yield();
}

// A reduction on two threads. Its first task adds ten more, while the worker is busy with another one, and is then
// inside a long function.
class hidden_tasks {
public:
    // Returns whether the process comes to rest during the long function. `busy` is what the worker calls last, before
    // it has nothing more to do.
    template <class Busy>
    bool come_to_rest(Busy busy) {
        bool at_rest = false;
        const auto body = [&](auto& pool, int task) {
            if (task == 0) {
                pool.enq(1);
                wait_until(helper_runs_);
                for (int i = 0; i < 10; ++i)
                    pool.enq(2);
                is_queued_ = true;
                at_rest = comes_to_rest();
            } else if (task == 1) {
                helper_runs_ = true;
                wait_until(is_queued_);
                busy();
            }
            return task == 2 ? 1 : 0;
        };
        try {
            EXPECT_EQ(reduce_tasks({.threads = 2, .scheduler = "demand"}, body, 0), 10);
        } catch (const std::runtime_error&) {
            is_stopped = true;
        }
        return at_rest;
    }
    bool is_stopped = false;

private:
    std::atomic<bool> helper_runs_{false}, is_queued_{false};
};

TEST(hidden_work, of_a_stopped_team_keeps_no_worker_awake) {
    expect_quiet(run_in_child([] {
        hidden_tasks tasks;
        EXPECT_TRUE(tasks.come_to_rest([] { throw std::runtime_error("stop"); }));
        EXPECT_TRUE(tasks.is_stopped);
    }));
}

TEST(hidden_work, without_force_keeps_no_worker_awake) {
    if (is_emulated)
        GTEST_SKIP() << "the emulator has no filters of system calls";
    expect_quiet(run_in_child([] {
        refuse_membarrier();
        EXPECT_TRUE(hidden_tasks().come_to_rest([] {}));
    }));
}

// A thread that is in no task may never call the runtime again, so its tasks are made visible at once.
TEST(hidden_work, of_a_group_is_visible_where_force_is_refused) {
    if (is_emulated)
        GTEST_SKIP() << "the emulator has no filters of system calls";
    expect_quiet(run_in_child([] {
        refuse_membarrier();
        ::setenv("TEFF_NUM_THREADS", "2", 1);
        task_group group;
        std::atomic<int> called{0};
        for (int i = 0; i < 6; ++i)
            group.run([&] { ++called; });
        while (called != 6)
            std::this_thread::yield();
        group.wait();
    }));
}

class refused_force : public each_scheduler {};
INSTANTIATE_TEST_SUITE_P(, refused_force, every_scheduler_name(), scheduler_case_name);

TEST_P(refused_force, loses_no_task) {
    if (is_emulated)
        GTEST_SKIP() << "the emulator has no filters of system calls";
    expect_quiet(run_in_child([&] {
        refuse_membarrier();
        for (const long threads : {1L, 2L, 4L})
            EXPECT_TRUE(counts_right(with_threads(threads), 14));
    }));
}

// Counts how often it was moved. A task that its owner has queued and not shared was moved once; the move after that
// makes it visible, and if another thread makes it, then by force.
struct slow_task {
    explicit slow_task(int its_kind) : kind(its_kind) {}
    slow_task(slow_task&& other) noexcept : kind(other.kind), moves(other.moves + 1) {
        if (moves == 2 && std::this_thread::get_id() != owner && are_private) {
            is_forced = true;
            wait_until(may_go_on);
        }
    }
    slow_task& operator=(slow_task&&) = delete;
    int kind;
    int moves = 0;

    static inline std::thread::id owner;
    static inline std::atomic<bool> are_private{false}, is_forced{false}, may_go_on{false};
};

// The thread that uses force does not exist in the child.
TEST(hidden_work, is_forced_during_a_fork) {
    constexpr std::string_view orphan_message = "a task that called fork() went on as a task in the child process";
    const child_outcome outcome = run_in_child([] {
        std::atomic<bool> helper_runs{false};
        const auto body = [&](auto& pool, slow_task task) {
            if (task.kind == 0) {
                slow_task::owner = std::this_thread::get_id();
                pool.enq(slow_task(1));
                wait_until(helper_runs);
                for (int i = 0; i < 3; ++i)
                    pool.enq(slow_task(2));
                slow_task::are_private = true;
                wait_until(slow_task::is_forced);
                if (goes_on_as_child_ending_with(1))
                    pool.enq(slow_task(2));
                slow_task::may_go_on = true;
            } else if (task.kind == 1) {
                helper_runs = true;
                wait_until(slow_task::are_private);
            }
            return 1;
        };
        EXPECT_EQ(reduce_tasks({.threads = 2, .scheduler = "demand"}, body, slow_task(0)), 5);
    });
    EXPECT_EQ(outcome.code(), 0) << outcome.errors;
    EXPECT_EQ(outcome.lines_with(orphan_message), 1U) << outcome.errors;
}

}  // namespace
}  // namespace teff::testing
