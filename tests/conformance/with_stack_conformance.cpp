// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls on larger stacks, on every scheduler: they have the stack that they asked for, return and throw as other calls
// do, and may do on a fiber all that the fiber may do.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using namespace conformance;

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t large = 4 * mib;

// Calls itself until the calls take so many bytes of stack; `at_end` is called there.
template <class AtEnd>
[[gnu::noinline]] long deep(std::size_t bytes, std::uintptr_t begin, AtEnd& at_end) {
    volatile char used[1024];
    used[0] = 1;
    const std::size_t taken = begin - reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const long below = taken >= bytes ? at_end() : deep(bytes, begin, at_end);
    return below + used[0];
}
template <class AtEnd>
long use(std::size_t bytes, AtEnd&& at_end) {
    return deep(bytes, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)), at_end);
}

class with_stack_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, with_stack_on, testing::ValuesIn(all_rows()), row_names());

// The fibers wait at the bottom of their calls, and go on on any worker.
TEST_P(with_stack_on, fibers_wait_on_large_stacks) {
    for_some_thread_counts([] {
        constexpr std::size_t count = 20;
        std::vector<long> made(count);
        teff::fiber_barrier meet(count);
        teff::coforall(std::size_t{0}, count, [&](std::size_t i) {
            made[i] = teff::with_stack(large, [&] {
                return use(3 * mib, [&] {
                    meet.arrive_and_wait();
                    for (int times = 0; times < 3; ++times)
                        teff::this_fiber::yield();
                    return 10'000'000L;
                });
            });
            meet.arrive_and_wait();
        });
        for (const long each : made)
            EXPECT_GT(each, 10'000'000);
    });
}

TEST_P(with_stack_on, exceptions_cross) {
    for_some_thread_counts([] {
        std::vector<std::string> caught(10);
        teff::coforall(std::size_t{0}, caught.size(), [&caught](std::size_t i) {
            try {
                teff::with_stack(large, [i] {
                    use(mib, [i] {
                        teff::this_fiber::yield();
                        if (i < 10)
                            throw std::runtime_error(std::to_string(i));
                        return 0L;
                    });
                });
            } catch (const std::runtime_error& error) {
                teff::this_fiber::yield();
                caught[i] = error.what();
            }
        });
        for (std::size_t i = 0; i < caught.size(); ++i)
            EXPECT_EQ(caught[i], std::to_string(i));
    });
}

// Also one that is being handled around the call.
TEST_P(with_stack_on, an_exception_can_be_thrown_again_inside) {
    for_some_thread_counts([] {
        std::string caught;
        teff::fiber other([&caught] {
            try {
                throw std::runtime_error("outside");
            } catch (const std::runtime_error&) {
                try {
                    teff::with_stack(large, [] {
                        teff::this_fiber::yield();
                        throw;
                    });
                } catch (const std::runtime_error& again) {
                    caught = again.what();
                }
            }
        });
        other.join();
        EXPECT_EQ(caught, "outside");
    });
}

TEST_P(with_stack_on, functions_fork_on_a_large_stack) {
    struct sum {
        static long of(long first, long size) {
            if (size == 1)
                return first;
            const auto [left, right] = teff::fork_join([=] { return of(first, size / 2); },
                                                       [=] { return of(first + size / 2, size - size / 2); });
            return left + right;
        }
    };
    for_some_thread_counts([] {
        constexpr std::size_t far = 64 * mib;
        EXPECT_EQ(teff::with_stack(far, [] { return sum::of(0, 1000); }), 499'500);
        EXPECT_EQ(sum::of(0, 1000), 499'500);
        long on_fiber = 0;
        teff::fiber([&] { on_fiber = teff::with_stack(far, [] { return sum::of(0, 1000); }); }).join();
        EXPECT_EQ(on_fiber, 499'500);
    });
}

std::uintptr_t here() { return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); }

TEST(with_stack, calls_directly_where_enough_is_left) {
    teff::fiber([] {
        const std::uintptr_t outside = here();
        teff::with_stack(4096, [outside] { EXPECT_LT(outside - here(), 64U * 1024); });
        teff::with_stack(large, [outside] {
            const std::uintptr_t inside = here();
            EXPECT_GT(outside > inside ? outside - inside : inside - outside, 64U * 1024);
            // There is enough now.
            teff::with_stack(mib, [inside] { EXPECT_LT(inside - here(), 64U * 1024); });
            EXPECT_GT(teff::with_stack(2 * large, [] { return use(large, [] { return 1L; }); }), 1);
        });
        EXPECT_LT(outside - here() + 4096, 64U * 1024);
    }).join();
}

TEST(with_stack, works_on_threads_that_are_no_fibers) {
    std::thread([] {
        EXPECT_GT(teff::with_stack(64 * mib, [] { return use(60 * mib, [] { return 1L; }); }), 1);
    }).join();
}

TEST(with_stack, returns_what_the_function_returns) {
    teff::fiber([] {
        int number = 1;
        static_assert(std::is_same_v<decltype(teff::with_stack(large, [&]() -> int& { return number; })), int&>);
        teff::with_stack(large, [&]() -> int& { return number; }) = 2;
        EXPECT_EQ(number, 2);
        EXPECT_EQ(*teff::with_stack(large, [] { return std::make_unique<int>(3); }), 3);
    }).join();
}

TEST(with_stack, says_that_there_is_no_memory) {
    bool is_called = false;
    EXPECT_THROW(teff::with_stack(std::size_t{1} << 40, [&] { is_called = true; }), std::bad_alloc);
    EXPECT_FALSE(is_called);
}

}  // namespace
