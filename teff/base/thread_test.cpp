// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A started thread runs, is detached, and receives no signals; its creator's signal mask is unchanged.
#include <teff/base/thread.hpp>

#include <teff/base/futex.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <pthread.h>

namespace {

struct observation {
    sigset_t mask{};
    int detach_state = -1;
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
        pthread_attr_destroy(&attributes);
    }
    const void* const address = seen.done.address();
    // release: publishes the observation; partner: the acquire in the test. From here on the test may have ended.
    seen.done.store(1, std::memory_order_release);
    teff::futex_wake(address, 1);
    return nullptr;
}

TEST(thread, runs_detached_with_all_signals_blocked) {
    // Static: the thread still uses the address of `done` when the test continues.
    static observation seen;
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    ASSERT_TRUE(teff::start_thread(observe, &seen));
    // acquire: sees the observation; partner: the release in observe().
    while (seen.done.load(std::memory_order_acquire) == 0)
        teff::futex_wait(seen.done, 0);
    EXPECT_FALSE(pthread_equal(seen.thread, pthread_self()));
    EXPECT_EQ(seen.detach_state, PTHREAD_CREATE_DETACHED);
    sigset_t after;
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    for (const int each : {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGCHLD, SIGSEGV}) {
        EXPECT_EQ(sigismember(&seen.mask, each), 1) << "signal " << each;
        EXPECT_EQ(sigismember(&after, each), sigismember(&before, each)) << "signal " << each;
    }
}

}  // namespace
