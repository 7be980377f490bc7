// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program says when a fiber has used up its stack, and what becomes of the program's own handlers of
// segmentation faults. The sanitizers have handlers of their own instead.
#include <tests/child_process.hpp>
#include <tests/conformance/tracked.hpp>

#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <thread>

namespace teff::testing {
namespace {

class stack_overflow : public ::testing::Test {
protected:
    void SetUp() override {
        if (conformance::sanitized)
            GTEST_SKIP();
    }

    template <class Body>
    static child_outcome run(Body&& body) {
        return run_in_child([&] {
            const rlimit no_core{0, 0};
            ::setrlimit(RLIMIT_CORE, &no_core);
            ::setenv("TEFF_FIBER_STACK_KIB", "64", 1);
            execute({.threads = 2}, body);
        });
    }
    static void expect_signal(const child_outcome& outcome) {
        EXPECT_TRUE(WIFSIGNALED(outcome.status)) << outcome.status;
        EXPECT_EQ(WTERMSIG(outcome.status), SIGSEGV);
    }
};

// Uses its stack up. The addition keeps the compiler from making a loop of the calls.
[[gnu::noinline]] int use_up(int depth) {
    if (depth < 0)
        return 0;
    volatile char used[256];
    used[0] = static_cast<char>(depth);
    return use_up(depth + 1) + used[0];
}

constexpr const char* message = "teff: fiber 2: its stack, of 64 KiB, is used up; give fibers more with "
                                "TEFF_FIBER_STACK_KIB";

TEST_F(stack_overflow, names_the_fiber_its_stack_and_the_option) {
    const child_outcome outcome = run([] {
        fiber([] {}).join();
        fiber([] { use_up(0); }).join();
    });
    expect_signal(outcome);
    EXPECT_EQ(outcome.errors, std::string(message) + "\n");
}

TEST_F(stack_overflow, says_the_name_of_the_fiber) {
    const child_outcome outcome = run([] {
        fiber([] {
            this_fiber::set_name("parser");
            use_up(0);
        }).join();
    });
    expect_signal(outcome);
    EXPECT_EQ(outcome.lines_with("teff: fiber 1 'parser': its stack, of 64 KiB,"), 1U) << outcome.errors;
}

// The caller leaves the fiber to the worker.
TEST_F(stack_overflow, is_found_on_every_thread) {
    const child_outcome outcome = run([] {
        std::atomic<bool> has_begun{false};
        fiber other([&] {
            has_begun = true;
            use_up(0);
        });
        while (!has_begun)
            std::this_thread::yield();
        other.join();
    });
    expect_signal(outcome);
    EXPECT_EQ(outcome.lines_with("teff: fiber 1: its stack,"), 1U) << outcome.errors;
}

TEST_F(stack_overflow, is_found_in_a_team_of_its_own_on_a_fiber) {
    const child_outcome outcome = run([] {
        fiber([] {
            execute({.threads = 1}, [] { use_up(0); });
        }).join();
    });
    expect_signal(outcome);
    EXPECT_EQ(outcome.lines_with("teff: fiber 1: its stack,"), 1U) << outcome.errors;
}

TEST_F(stack_overflow, names_the_size_of_a_larger_stack) {
    const child_outcome outcome = run([] {
        fiber([] { with_stack(std::size_t{1} << 20, [] { use_up(0); }); }).join();
    });
    expect_signal(outcome);
    EXPECT_EQ(outcome.errors, "teff: fiber 1: a stack of with_stack() or of calls that nest deep, of 1024 KiB, is used "
                              "up; ask with_stack() for more\n");
}

TEST_F(stack_overflow, is_found_in_a_call_of_a_thread_that_is_no_fiber) {
    const child_outcome outcome = run([] {
        std::thread([] { with_stack(std::size_t{64} << 20, [] { use_up(0); }); }).join();
    });
    expect_signal(outcome);
    EXPECT_EQ(outcome.errors, "teff: a stack of with_stack() or of calls that nest deep, of 65536 KiB, is used up; "
                              "ask with_stack() for more\n");
}

void handle(int number, void (*with)(int, siginfo_t*, void*)) {
    struct sigaction action{};
    action.sa_sigaction = with;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(number, &action, nullptr);
}

TEST_F(stack_overflow, comes_before_the_handler_of_the_program) {
    const child_outcome outcome = run([] {
        handle(SIGSEGV, [](int number, siginfo_t* what, void* context) {
            std::_Exit(number == SIGSEGV && what->si_addr != nullptr && context != nullptr ? 42 : 1);
        });
        fiber([] {}).join();
        fiber([] { use_up(0); }).join();
    });
    EXPECT_EQ(outcome.code(), 42) << outcome.status;
    EXPECT_EQ(outcome.lines_with(message), 1U) << outcome.errors;
}

TEST_F(stack_overflow, comes_before_a_simple_handler) {
    const child_outcome outcome = run([] {
        std::signal(SIGSEGV, [](int) { std::_Exit(43); });
        fiber([] {}).join();
        fiber([] { use_up(0); }).join();
    });
    EXPECT_EQ(outcome.code(), 43) << outcome.status;
    EXPECT_EQ(outcome.lines_with(message), 1U) << outcome.errors;
}

TEST_F(stack_overflow, is_not_said_of_other_faults) {
    const child_outcome outcome = run([] {
        fiber([] { *reinterpret_cast<volatile int*>(std::uintptr_t{64}) = 1; }).join();
    });
    expect_signal(outcome);
    EXPECT_EQ(outcome.errors, "");
}

// A handler that makes the access possible, as garbage collectors have it.
void* repaired_page;
TEST_F(stack_overflow, leaves_the_program_its_handler) {
    expect_quiet(run([] {
        repaired_page = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        handle(SIGSEGV, [](int, siginfo_t*, void*) { ::mprotect(repaired_page, 4096, PROT_READ | PROT_WRITE); });
        for (int times = 0; times < 3; ++times) {
            fiber([] { *static_cast<volatile int*>(repaired_page) = 1; }).join();
            ::mprotect(repaired_page, 4096, PROT_NONE);
        }
    }));
}

TEST_F(stack_overflow, leaves_a_signal_that_was_sent_as_it_was) {
    const child_outcome by_default = run([] { fiber([] { std::raise(SIGSEGV); }).join(); });
    expect_signal(by_default);
    EXPECT_EQ(by_default.errors, "");
    expect_quiet(run([] {
        std::signal(SIGSEGV, SIG_IGN);
        fiber([] { std::raise(SIGSEGV); }).join();
    }));
}

TEST_F(stack_overflow, leaves_a_thread_its_signal_stack) {
    expect_quiet(run([] {
        std::thread([] {
            static char own[64 * 1024];
            stack_t mine{};
            mine.ss_sp = own;
            mine.ss_size = sizeof own;
            ::sigaltstack(&mine, nullptr);
            fiber([] {}).join();
            stack_t now{};
            ::sigaltstack(nullptr, &now);
            EXPECT_EQ(now.ss_sp, own);
        }).join();
        // Frees what the runtime has made for it.
        std::thread([] { fiber([] {}).join(); }).join();
    }));
}

}  // namespace
}  // namespace teff::testing
