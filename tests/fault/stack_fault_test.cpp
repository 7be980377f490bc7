// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that has no marks for guards (before Linux 6.13), a process that may have no more mappings, and one that may
// have no more memory: fibers still run, and a stack that is used up is still found. The linker puts the refusals in
// front of the library's calls.
#include <tests/child_process.hpp>
#include <tests/conformance/tracked.hpp>

#include <teff/fiber/fiber_stack.hpp>
#include <teff/fork_join.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <sys/resource.h>
#include <vector>

namespace {

constinit std::atomic<bool> has_marks{true};
constinit std::atomic<bool> accepts_any_advice{false};  // without an effect, as qemu's user mode
constinit std::atomic<long> mappings_left{LONG_MAX};  // further mprotect() to PROT_NONE that succeed
constinit std::atomic<bool> has_memory{true};
constinit std::atomic<bool> unmaps{true};

}  // namespace

extern "C" {
int __real_madvise(void* address, std::size_t size, int advice);
int __real_mprotect(void* address, std::size_t size, int protection);
void* __real_mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset);
int __real_munmap(void* address, std::size_t size);
int __wrap_madvise(void* address, std::size_t size, int advice);
int __wrap_mprotect(void* address, std::size_t size, int protection);
void* __wrap_mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void* address, std::size_t size);

int __wrap_madvise(void* address, std::size_t size, int advice) {
    constexpr int guard_install = 102;
    if (accepts_any_advice)
        return 0;
    if (advice == guard_install && !has_marks) {
        errno = EINVAL;
        return -1;
    }
    return __real_madvise(address, size, advice);
}
int __wrap_mprotect(void* address, std::size_t size, int protection) {
    if (protection == PROT_NONE && --mappings_left < 0) {
        errno = ENOMEM;
        return -1;
    }
    return __real_mprotect(address, size, protection);
}
void* __wrap_mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) {
    if (!has_memory) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return __real_mmap(address, size, protection, flags, file, offset);
}
int __wrap_munmap(void* address, std::size_t size) {
    if (!unmaps) {
        errno = ENOMEM;
        return -1;
    }
    return __real_munmap(address, size);
}
}

namespace teff::testing {
namespace {

std::vector<fiber_stack> take_stacks(std::size_t count) {
    std::vector<fiber_stack> stacks;
    for (std::size_t i = 0; i < count; ++i) {
        stacks.push_back(take_fiber_stack(1));
        EXPECT_NE(stacks.back().lowest, nullptr);
    }
    return stacks;
}
void give_back(const std::vector<fiber_stack>& stacks) {
    for (const fiber_stack& each : stacks)
        give_back_fiber_stack(each);
}
std::size_t count_of(const std::vector<fiber_stack>& stacks, stack_guard kind) {
    return static_cast<std::size_t>(
        std::count_if(stacks.begin(), stacks.end(), [kind](const fiber_stack& each) { return each.guard == kind; }));
}

TEST(stack_fault, a_kernel_without_marks_gets_mappings) {
    expect_quiet(run_in_child([] {
        has_marks = false;
        const std::vector<fiber_stack> stacks = take_stacks(1'000);
        EXPECT_EQ(count_of(stacks, stack_guard::mapping), 1'000U);
        give_back(stacks);
    }));
}

TEST(stack_fault, a_mark_without_an_effect_is_no_guard) {
    expect_quiet(run_in_child([] {
        accepts_any_advice = true;
        const std::vector<fiber_stack> stacks = take_stacks(100);
        EXPECT_EQ(count_of(stacks, stack_guard::mapping), 100U);
        give_back(stacks);
    }));
}

// The guards leave half of the mappings that a process may have to the program; those that are given back can be had
// again.
TEST(stack_fault, guards_leave_mappings_to_the_program) {
    expect_quiet(run_in_child([] {
        has_marks = false;
        constexpr std::size_t count = 20'000;
        std::size_t guarded = 0;
        for (int times = 0; times < 2; ++times) {
            const std::vector<fiber_stack> stacks = take_stacks(count);
            guarded = count_of(stacks, stack_guard::mapping);
            EXPECT_GT(guarded, 1'000U);
            EXPECT_EQ(guarded + count_of(stacks, stack_guard::canary), count);
            std::vector<void*> others;
            for (int i = 0; i < 100; ++i)
                others.push_back(::mmap(nullptr, 4096, i % 2 == 0 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
                                        -1, 0));
            for (void* const each : others) {
                EXPECT_NE(each, MAP_FAILED);
                ::munmap(each, 4096);
            }
            give_back(stacks);
        }
    }));
}

TEST(stack_fault, a_refused_mapping_is_replaced_by_a_canary) {
    expect_quiet(run_in_child([] {
        has_marks = false;
        mappings_left = 10;
        const std::vector<fiber_stack> stacks = take_stacks(30);
        EXPECT_EQ(count_of(stacks, stack_guard::mapping), 10U);
        EXPECT_EQ(count_of(stacks, stack_guard::canary), 20U);
        give_back(stacks);
    }));
}

TEST(stack_fault, a_slab_that_cannot_be_unmapped_is_used_again) {
    expect_quiet(run_in_child([] {
        give_back(take_stacks(2'000));
        unmaps = false;
        give_back(take_stacks(2'000));
        has_memory = false;
        give_back(take_stacks(1'000));
    }));
}

TEST(stack_fault, a_fiber_without_a_stack_fails) {
    expect_quiet(run_in_child([] {
        execute({.threads = 1}, [] {
            has_memory = false;
            fiber poor([] { ADD_FAILURE() << "it has no stack"; });
            EXPECT_THROW(poor.join(), std::bad_alloc);
            has_memory = true;
            fiber([] {}).join();
        });
    }));
}

// Calls itself until it is below the end of its stack; then returns.
[[gnu::noinline]] int overrun(std::uintptr_t lowest) {
    volatile char used[128];
    used[0] = 1;
    if (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < lowest - 1024)
        return used[0];
    return overrun(lowest) + used[0];
}

child_outcome run_over(void (*afterwards)()) {
    return run_in_child([afterwards] {
        const rlimit no_core{0, 0};
        ::setrlimit(RLIMIT_CORE, &no_core);
        ::setenv("TEFF_FIBER_STACK_KIB", "16", 1);
        has_marks = false;
        mappings_left = 0;
        execute({.threads = 1}, [afterwards] {
            fiber([afterwards] {
                overrun(running_strand().stack->low);
                afterwards();
            }).join();
        });
    });
}

void expect_found(const child_outcome& outcome) {
    EXPECT_TRUE(WIFSIGNALED(outcome.status) && WTERMSIG(outcome.status) == SIGABRT) << outcome.status;
    EXPECT_EQ(outcome.lines_with("teff: fiber 1: its stack, of 16 KiB, is used up; give fibers more with "
                                 "TEFF_FIBER_STACK_KIB"),
              1U)
        << outcome.errors;
}

TEST(stack_fault, an_overwritten_canary_is_found_when_the_fiber_is_left) {
    if (conformance::sanitized)
        GTEST_SKIP();
    expect_found(run_over([] {
        this_fiber::yield();
        std::_Exit(1);
    }));
}

TEST(stack_fault, an_overwritten_canary_is_found_at_the_end) {
    if (conformance::sanitized)
        GTEST_SKIP();
    expect_found(run_over([] {}));
}

TEST(stack_fault, a_guard_of_a_mapping_is_told_of_as_well) {
    if (conformance::sanitized)
        GTEST_SKIP();
    const child_outcome outcome = run_in_child([] {
        const rlimit no_core{0, 0};
        ::setrlimit(RLIMIT_CORE, &no_core);
        ::setenv("TEFF_FIBER_STACK_KIB", "16", 1);
        has_marks = false;
        execute({.threads = 1}, [] { fiber([] { overrun(running_strand().stack->low); }).join(); });
    });
    EXPECT_TRUE(WIFSIGNALED(outcome.status) && WTERMSIG(outcome.status) == SIGSEGV) << outcome.status;
    EXPECT_EQ(outcome.lines_with("teff: fiber 1: its stack, of 16 KiB, is used up"), 1U) << outcome.errors;
}

}  // namespace
}  // namespace teff::testing
