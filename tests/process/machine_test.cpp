// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The effects of the runtime on its process: how many threads it creates, on which CPUs they run, which signals they
// receive, and how the environment variables control this.
#include <tests/child_process.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/base/backoff.hpp>
#include <teff/machine/process_limits.hpp>
#include <teff/options/options.hpp>
#include <teff/pool/pool.hpp>
#include <teff/strand/worker.hpp>
#include <teff/team/region.hpp>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <iterator>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <thread>
#include <vector>

namespace teff::testing {
namespace {

constexpr std::uint32_t depth = 10;

long threads_of_process() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
}

cpu_set_t affinity() {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    ::sched_getaffinity(0, sizeof mask, &mask);
    return mask;
}

class process_each_scheduler : public each_scheduler {};

INSTANTIATE_TEST_SUITE_P(, process_each_scheduler, every_scheduler_name(), scheduler_case_name);

TEST_P(process_each_scheduler, binding_leaves_the_mask_of_the_caller) {
    expect_quiet(run_in_child([&] {
        ::setenv("TEFF_BIND", "cores", 1);
        const cpu_set_t before = affinity();
        cpu_set_t of_worker = before;
        EXPECT_TRUE(act_inside_task(with_threads(3), thread_kind::worker, [&] { of_worker = affinity(); }));
        EXPECT_EQ(CPU_COUNT(&of_worker), 1) << "the worker was not bound, so the test shows nothing";
        const cpu_set_t after = affinity();
        EXPECT_TRUE(CPU_EQUAL(&before, &after));
    }));
}

TEST_P(process_each_scheduler, one_cpu_is_one_thread_and_more_still_work) {
    expect_quiet(run_in_child([&] {
        const cpu_set_t all = affinity();
        int cpu = 0;
        while (!CPU_ISSET(cpu, &all))
            ++cpu;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        EXPECT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
        EXPECT_EQ(thread_count(process_configuration()), 1U);
        EXPECT_TRUE(counts_right({.scheduler = GetParam()}, depth));
        EXPECT_EQ(pool::instance().worker_count(), 0U);
        EXPECT_TRUE(counts_right(with_threads(4), depth));
    }));
}

TEST_P(process_each_scheduler, workers_block_all_signals_and_the_caller_none_more) {
    expect_quiet(run_in_child([&] {
        sigset_t before;
        pthread_sigmask(SIG_SETMASK, nullptr, &before);
        EXPECT_TRUE(act_inside_task(with_threads(3), thread_kind::worker, [] {
            sigset_t blocked;
            pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
            for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR1, SIGALRM, SIGPROF})
                EXPECT_EQ(sigismember(&blocked, signal), 1) << signal;
        }));
        sigset_t after;
        pthread_sigmask(SIG_SETMASK, nullptr, &after);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR1, SIGALRM, SIGPROF})
            EXPECT_EQ(sigismember(&before, signal), sigismember(&after, signal)) << signal;
    }));
}

TEST_P(process_each_scheduler, a_storm_of_signals_changes_nothing) {
    static std::atomic<long> on_caller, on_worker;
    expect_quiet(run_in_child([&] {
        struct sigaction action{};
        action.sa_handler = [](int) { ++(this_thread().worker == 0 ? on_caller : on_worker); };
        ::sigaction(SIGUSR1, &action, nullptr);
        std::atomic<bool> over{false};
        std::thread sender([&] {
            while (!over) {
                ::kill(::getpid(), SIGUSR1);
                yield_thread();
            }
        });
        for (int i = 0; i < 20 || on_caller < 100; ++i)
            EXPECT_TRUE(counts_right(with_threads(4), depth));
        over = true;
        sender.join();
        EXPECT_EQ(on_worker, 0);
    }));
}

TEST_P(process_each_scheduler, nested_calls_make_no_more_threads) {
    expect_quiet(run_in_child([&] {
        EXPECT_TRUE(counts_right(with_threads(4), depth));
        const long before = threads_of_process();
        const auto tree = tree_of(63);
        const auto outer = [&](const enqueue& enq, std::uint32_t number) {
            return counts_right(with_threads(16), 5) ? tree(enq, number) : 0;
        };
        EXPECT_EQ(reduce(with_threads(4), outer), 63);
        EXPECT_EQ(threads_of_process(), before);
        EXPECT_EQ(pool::instance().worker_count(), 3U);
    }));
}

TEST_P(process_each_scheduler, five_hundred_threads_call_at_once) {
    expect_quiet(run_in_child([&] {
        constexpr int callers = 500;
        std::atomic<int> arrived{0};
        std::atomic<int> wrong{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < callers; ++i)
            threads.emplace_back([&] {
                ++arrived;
                while (arrived < callers)
                    yield_thread();
                wrong += !counts_right(with_threads(4), 6);
            });
        for (std::thread& each : threads)
            each.join();
        EXPECT_EQ(wrong, 0);
        EXPECT_EQ(pool::instance().worker_count(), 3U);
    }));
}

TEST_P(process_each_scheduler, sixty_four_threads_on_few_cpus_end) {
    expect_quiet(run_in_child([&] {
        for (int i = 0; i < 3; ++i)
            EXPECT_TRUE(counts_right(with_threads(64), 14));
        EXPECT_EQ(pool::instance().worker_count(), 63U);
    }));
}

TEST(process, a_malformed_number_of_threads_gives_one_warning_and_the_default) {
    for (const char* const value : {"0", "-3", "four", "2x", "1e3"}) {
        SCOPED_TRACE(value);
        const child_outcome outcome = run_in_child([&] {
            ::setenv("TEFF_NUM_THREADS", value, 1);
            EXPECT_TRUE(counts_right({}, depth));
            EXPECT_TRUE(counts_right({}, depth));
            EXPECT_EQ(thread_count(process_configuration()), default_thread_count());
        });
        EXPECT_EQ(outcome.code(), 0) << outcome.errors;
        EXPECT_EQ(outcome.lines_with(""), 1U) << outcome.errors;
        EXPECT_EQ(outcome.lines_with("TEFF_NUM_THREADS"), 1U) << outcome.errors;
        EXPECT_EQ(outcome.lines_with(value), 1U) << outcome.errors;
    }
}

// Some workers of the region may not have started the body when the caller has finished it.
TEST(process, a_region_whose_caller_returns_first_still_has_all_its_members) {
    expect_quiet(run_in_child([] {
        for (int i = 0; i < 200; ++i) {
            std::atomic<unsigned> members{0};
            const auto body = [](void* argument, unsigned, unsigned) noexcept {
                ++*static_cast<std::atomic<unsigned>*>(argument);
            };
            EXPECT_EQ(run_region(4, body, &members), 4U);
            EXPECT_EQ(members, 4U);
        }
    }));
}

TEST(process, the_variable_sets_the_number_of_threads) {
    expect_quiet(run_in_child([] {
        ::setenv("TEFF_NUM_THREADS", "5", 1);
        EXPECT_TRUE(counts_right({}, depth));
        EXPECT_EQ(pool::instance().worker_count(), 4U);
    }));
}

}  // namespace
}  // namespace teff::testing
