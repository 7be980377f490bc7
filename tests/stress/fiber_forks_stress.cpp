// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trees of forks, groups, loops and fibers inside each other, in random order, on many fibers at once, which are left
// and resumed in between: each leaf is called once, and what it leaves is there when its root has ended.
#include <tests/stress/identities.hpp>
#include <tests/stress/operations.hpp>

#include <teff/base/light_standard.hpp>
#include <teff/fork_join.hpp>
#include <teff/parallel_for.hpp>
#include <teff/schedulers.hpp>
#include <teff/task_group.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

class trees {
public:
    trees(std::uint64_t count, std::uint64_t leaves_each)
        : count_(count), each_(leaves_each), delivered_(count * leaves_each),
          left_(static_cast<std::size_t>(count * leaves_each)) {}

    void run() {
        std::vector<teff::fiber> roots;
        for (std::uint64_t i = 0; i < count_; ++i)
            roots.emplace_back([this, i] {
                walk(i * each_, each_);
                for (std::uint64_t leaf = i * each_; leaf < (i + 1) * each_; ++leaf)
                    expect(left_[static_cast<std::size_t>(leaf)] == ~leaf);
            });
        for (teff::fiber& each : roots)
            each.join();
        EXPECT_EQ(delivered_.missing(), 0U);
        // relaxed: after the joins.
        EXPECT_EQ(mistakes_.load(std::memory_order_relaxed), 0U);
    }

private:
    void expect(bool is_right) noexcept {
        // relaxed: read after the joins.
        mistakes_.fetch_add(is_right ? 0 : 1, std::memory_order_relaxed);
    }
    void call_leaf(std::uint64_t leaf) noexcept {
        expect(delivered_.deliver(leaf));
        left_[static_cast<std::size_t>(leaf)] = ~leaf;
    }

    void walk(std::uint64_t first, std::uint64_t count) {
        if (count == 1) {
            call_leaf(first);
            return;
        }
        teff::random_generator random(first * 0x9E37'79B9'7F4A'7C15U + count);
        const std::uint64_t half = 1 + random.below(static_cast<std::uint32_t>(count - 1));
        const auto left = [=, this] { walk(first, half); };
        const auto right = [=, this] { walk(first + half, count - half); };
        switch (random.below(8)) {
        case 0: {
            teff::task_group group;
            group.run(left);
            group.run(right);
            group.wait();
            return;
        }
        case 1: {
            teff::fiber other(left);
            right();
            other.join();
            return;
        }
        case 2:
            teff::parallel_for(first, first + count, [this](std::uint64_t leaf) { call_leaf(leaf); });
            return;
        case 3:
            teff::this_fiber::yield();
            [[fallthrough]];
        default:
            teff::fork_join(left, right);
        }
    }

    const std::uint64_t count_;
    const std::uint64_t each_;
    stress::identities delivered_;
    std::vector<std::uint64_t> left_;
    teff::atomic<std::uint64_t> mistakes_{0};
};

TEST(fiber_forks_stress, each_leaf_is_called_once) {
    constexpr std::uint64_t fibers = 40;
    const auto schedulers = teff::schedulers();
    // A leaf costs as much as hundreds of operations on a queue.
    const std::uint64_t leaves = stress::operations() / 200;
    const std::uint64_t leaves_each = std::max<std::uint64_t>(20, leaves / (fibers * 2 * std::size(schedulers)));
    for (const teff::scheduler_traits& each : schedulers)
        for (const long threads : {2L, 8L})
            teff::execute({.threads = threads, .scheduler = each.name}, [=] { trees(fibers, leaves_each).run(); });
}

}  // namespace
