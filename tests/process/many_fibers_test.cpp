// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of fibers, with stacks of 16 KiB. Very many that wait at the same time: all end, each takes little memory,
// and when they have ended it goes back to the system. FIBERS is their number.
#include <tests/child_process.hpp>
#include <tests/conformance/tracked.hpp>
#include <tests/emulation.hpp>

#include <teff/fiber/fiber_stack.hpp>
#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <malloc.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace teff::testing {
namespace {

long number_of_fibers() {
    const char* const wanted = std::getenv("FIBERS");
    return wanted != nullptr ? std::strtol(wanted, nullptr, 10) : 100'000;
}

long resident_bytes() {
    long all = 0;
    long resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

long mappings() {
    std::ifstream maps("/proc/self/maps");
    long count = 0;
    for (std::string line; std::getline(maps, line);)
        ++count;
    return count;
}

bool has_marks() {
    const fiber_stack probe = take_fiber_stack(1);
    give_back_fiber_stack(probe);
    return probe.guard == stack_guard::mark;
}

TEST(many_fibers, wait_at_the_same_time_and_end) {
    if (conformance::sanitized)
        GTEST_SKIP() << "ThreadSanitizer allows some thousand fibers, and AddressSanitizer maps memory for each";
    const long count = number_of_fibers();
    const child_outcome outcome = run_in_child([count] {
        ::setenv("TEFF_FIBER_STACK_KIB", "16", 1);
        const bool marks = has_marks();
        const long at_first = resident_bytes();
        execute({.threads = 2}, [=] {
            fiber_latch waiting(static_cast<std::size_t>(count));
            sync_var<int> go;
            std::atomic<long> ended{0};
            std::vector<fiber> fibers;
            fibers.reserve(static_cast<std::size_t>(count));
            for (long i = 0; i < count; ++i)
                fibers.emplace_back([&] {
                    waiting.count_down();
                    go.read_ff();
                    ++ended;
                });
            waiting.wait();
            const long each = (resident_bytes() - at_first) / count;
            std::fprintf(stderr, "%ld bytes each, %ld mappings\n", each, mappings());
            EXPECT_EQ(ended, 0);
            EXPECT_LT(each, 12 * 1024);
            if (marks) {
                EXPECT_LT(mappings(), 2'000);
            }
            go.write_ef(1);
            for (fiber& other : fibers)
                other.join();
            EXPECT_EQ(ended, count);
        });
        // The records of fibers are the allocator's, which keeps what was freed.
        ::malloc_trim(0);
        const long left = (resident_bytes() - at_first) / count;
        std::fprintf(stderr, "%ld bytes each afterwards\n", left);
        // The emulator keeps tables of the process's pages.
        if (!is_emulated) {
            EXPECT_LT(left, 64 + 8'000'000 / count);
        }
    });
    EXPECT_EQ(outcome.code(), 0) << outcome.errors;
    RecordProperty("memory", outcome.errors);
}

// A thread frees the memory of records also when it joins fibers after it has given up what it keeps.
TEST(records_of_fibers, of_threads_that_exit_are_freed) {
    if (conformance::sanitized)
        GTEST_SKIP() << "the sanitizers' allocators do not tell what is in use";
    const child_outcome outcome = run_in_child([] {
        constexpr long fibers = 10;
        const auto use_threads = [](int count) {
            for (int i = 0; i < count; ++i)
                std::thread([] {
                    // Destroyed after what the thread keeps, which is made later.
                    static thread_local std::vector<fiber> joined_last;
                    joined_last.reserve(fibers);
                    execute({.threads = 1}, [] {
                        for (long each = 0; each < fibers; ++each)
                            joined_last.emplace_back([] {});
                        fiber([] {}).join();
                    });
                }).join();
        };
        use_threads(5);
        const std::size_t before = ::mallinfo2().uordblks;
        use_threads(50);
        const std::size_t after = ::mallinfo2().uordblks;
        EXPECT_LT(after, before + 10'000);
    });
    EXPECT_EQ(outcome.code(), 0) << outcome.errors;
}

// Such stacks are too small for forks, and there are no others.
TEST(fibers_with_small_stacks, start_fibers_and_refuse_forks) {
    const child_outcome outcome = run_in_child([] {
        ::setenv("TEFF_FIBER_STACK_KIB", "16", 1);
        ::setenv("TEFF_MORE_STACK_MIB", "0", 1);
        execute({.threads = 3}, [] {
            std::atomic<int> leaves{0};
            std::atomic<int> refused{0};
            const std::function<void(int)> walk = [&](int depth) {
                if (depth != 0) {
                    fiber left([&walk, depth] { walk(depth - 1); });
                    cobegin([&walk, depth] { walk(depth - 1); }, [] {});
                    left.join();
                    return;
                }
                ++leaves;
                try {
                    fork_join([] {}, [] {});
                } catch (const stack_exhausted&) {
                    ++refused;
                }
            };
            fiber root([&walk] { walk(8); });
            root.join();
            EXPECT_EQ(leaves, 256);
            EXPECT_EQ(refused, 256);
        });
    });
    EXPECT_EQ(outcome.code(), 0) << outcome.errors;
}

}  // namespace
}  // namespace teff::testing
