// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A started thread runs, is detached, and receives no signals but those of its own faults; its creator's signal mask is
// unchanged.
#include <teff/base/thread.hpp>

#include <teff/base/futex.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <pthread.h>

namespace {

struct observation {
    sigset_t mask{};
    int detach_state = -1;
    std::size_t stack_size = 0;
    pthread_t thread{};
    teff::futex_word done{0};
};

void* observe(void* argument) {
    auto& seen = *static_cast<observation*>(argument);
    seen.thread = pthread_self();
    pthread_sigmask(SIG_SETMASK, nullptr, &seen.mask);
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getdetachstate(&attributes, &seen.detach_state);
        pthread_attr_getstacksize(&attributes, &seen.stack_size);
        pthread_attr_destroy(&attributes);
    }
    const void* const address = seen.done.address();
    // release: publishes the observation; partner: the acquire in the test. From here on the test may have ended.
    seen.done.store(1, std::memory_order_release);
    teff::futex_wake(address, 1);
    return nullptr;
}

void start_and_wait(observation& seen) {
    ASSERT_TRUE(teff::start_thread(observe, &seen));
    // acquire: sees the observation; partner: the release in observe().
    while (seen.done.load(std::memory_order_acquire) == 0)
        teff::futex_wait(seen.done, 0);
}

TEST(thread, runs_detached_with_all_signals_but_those_of_faults_blocked) {
    // Static: the thread still uses the address of `done` when the test continues.
    static observation seen;
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    start_and_wait(seen);
    EXPECT_FALSE(pthread_equal(seen.thread, pthread_self()));
    EXPECT_EQ(seen.detach_state, PTHREAD_CREATE_DETACHED);
    sigset_t after;
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    for (const int each : {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGCHLD, SIGSEGV, SIGFPE}) {
        EXPECT_EQ(sigismember(&seen.mask, each), each == SIGSEGV || each == SIGFPE ? 0 : 1) << "signal " << each;
        EXPECT_EQ(sigismember(&after, each), sigismember(&before, each)) << "signal " << each;
    }
}

TEST(thread, has_the_chosen_stack_size) {
    const std::size_t usual = teff::next_stack_size();
    EXPECT_GE(usual, std::size_t{1} << 20);
    static observation large, refused;
    teff::choose_stack_size(1);
    EXPECT_EQ(teff::next_stack_size(), std::size_t{64} << 10);
    // The system may give a thread the larger stack of one that has ended, but it has none of this size.
    teff::choose_stack_size(100'000'001);
    EXPECT_EQ(teff::next_stack_size(), 24415U * 4096);
    start_and_wait(large);
    EXPECT_EQ(large.stack_size, 24415U * 4096);
    // More than there are addresses.
    teff::choose_stack_size(SIZE_MAX);
    start_and_wait(refused);
    EXPECT_GE(refused.stack_size, usual);
    EXPECT_EQ(teff::next_stack_size(), usual);
}

}  // namespace
