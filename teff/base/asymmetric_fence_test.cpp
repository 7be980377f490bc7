// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of asymmetric_fence.hpp: of two threads that store and then look, at least one sees the other.
#include <teff/base/asymmetric_fence.hpp>

#include <gtest/gtest.h>

#include <cerrno>
#include <thread>

namespace {

// A store buffer lets both threads miss the other's store if nothing orders the two steps.
TEST(asymmetric_fence, a_light_and_a_heavy_fence_order_like_two_fences) {
    if (!teff::heavy_fence())
        GTEST_SKIP() << "the kernel does not allow membarrier";
    constexpr int rounds = 2000;
    teff::atomic<int> fast{0}, rare{0}, round{0}, done{0};
    int fast_saw = 0;
    std::thread fast_side([&] {
        for (int i = 1; i <= rounds; ++i) {
            while (round.load(std::memory_order_acquire) != i) {
            }
            fast.store(i, std::memory_order_relaxed);
            teff::light_fence();
            fast_saw = rare.load(std::memory_order_relaxed);
            done.store(i, std::memory_order_release);
        }
    });
    int both_missed = 0;
    for (int i = 1; i <= rounds; ++i) {
        round.store(i, std::memory_order_release);
        rare.store(i, std::memory_order_relaxed);
        EXPECT_TRUE(teff::heavy_fence());
        const int rare_saw = fast.load(std::memory_order_relaxed);
        while (done.load(std::memory_order_acquire) != i) {
        }
        both_missed += rare_saw != i && fast_saw != i ? 1 : 0;
    }
    fast_side.join();
    EXPECT_EQ(both_missed, 0);
}

TEST(asymmetric_fence, leaves_errno_as_it_was) {
    errno = ENOENT;
    [[maybe_unused]] const bool done = teff::heavy_fence();
    EXPECT_EQ(errno, ENOENT);
}

}  // namespace
