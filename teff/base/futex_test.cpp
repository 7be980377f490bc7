// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When futex_wait() returns, and with which result.
#include <teff/base/futex.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

namespace {

TEST(futex, does_not_sleep_on_another_value) {
    teff::futex_word word{1};
    EXPECT_TRUE(teff::futex_wait(word, 0));
}

TEST(futex, says_when_the_time_has_passed) {
    teff::futex_word word{1};
    EXPECT_FALSE(teff::futex_wait(word, 1, 1'000'000));
    EXPECT_FALSE(teff::futex_wait(word, 1, 0));
}

TEST(futex, leaves_errno_alone) {
    teff::futex_word word{1};
    errno = EDOM;
    EXPECT_FALSE(teff::futex_wait(word, 1, 0));
    EXPECT_TRUE(teff::futex_wait(word, 0));
    teff::futex_wake(word.address(), 1);
    EXPECT_EQ(errno, EDOM);
}

TEST(futex, a_changed_word_and_a_wake_end_every_sleep) {
    constexpr int sleepers = 4;
    teff::futex_word word{0};
    std::atomic<int> awake{0};
    std::vector<std::thread> all;
    for (int i = 0; i < sleepers; ++i)
        all.emplace_back([&] {
            // acquire: partner: the release store below.
            while (word.load(std::memory_order_acquire) == 0)
                teff::futex_wait(word, 0);
            ++awake;
        });
    // release: partner: the acquire load above.
    word.store(1, std::memory_order_release);
    teff::futex_wake(word.address(), teff::futex_wake_all);
    for (std::thread& each : all)
        each.join();
    EXPECT_EQ(awake.load(), sleepers);
}

TEST(futex, a_wake_with_bits_reaches_who_shares_one_of_them) {
    teff::futex_word word{0};
    std::atomic<int> awake{0};
    EXPECT_EQ(teff::futex_wake_those(word.address(), 1, 2), 0);
    std::thread sleeper([&] {
        // acquire: partner: the release store below.
        while (word.load(std::memory_order_acquire) == 0)
            teff::futex_wait_as(word, 0, 2);
        ++awake;
    });
    while (teff::futex_wake_those(word.address(), 1, 6) == 0)
        std::this_thread::yield();
    EXPECT_EQ(teff::futex_wake_those(word.address(), 1, 4 | 1), 0);
    // release: partner: the acquire load above.
    word.store(1, std::memory_order_release);
    // This wake has no bits, so it reaches every sleeper.
    teff::futex_wake(word.address(), teff::futex_wake_all);
    sleeper.join();
    EXPECT_EQ(awake.load(), 1);
}

}  // namespace
