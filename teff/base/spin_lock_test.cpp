// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The spin lock excludes, and another thread may release it.
#include <teff/base/spin_lock.hpp>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace {

TEST(spin_lock, excludes) {
    constexpr int threads = 4, each = 20'000;
    teff::spin_lock guard;
    int count = 0;
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i)
        running.emplace_back([&] {
            for (int times = 0; times < each; ++times) {
                const teff::scoped_lock locked(guard);
                ++count;
            }
        });
    for (std::thread& one : running)
        one.join();
    EXPECT_EQ(count, threads * each);
}

TEST(spin_lock, is_released_by_another_thread) {
    teff::spin_lock guard;
    guard.lock();
    int made = 0;
    EXPECT_FALSE(guard.try_lock());
    std::thread other([&] {
        made = 1;
        guard.unlock();
    });
    guard.lock();
    EXPECT_EQ(made, 1);
    guard.unlock();
    other.join();
}

}  // namespace
