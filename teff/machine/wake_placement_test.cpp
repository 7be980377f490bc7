// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which sleeping worker is woken, and that it is kept off the processor of the thread that wakes it only until it is
// awake.
#include <teff/machine/wake_placement.hpp>

#include <teff/machine/cpu_mask.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <sched.h>
#include <thread>
#include <vector>

namespace {

using teff::cpu_mask;

constexpr std::uint32_t asleep = 0, over = 1;

// Workers that sleep again and again on one word until it is `over`.
class wake_placement : public testing::Test {
protected:
    ~wake_placement() override {
        // release: partner: the acquire in run().
        word_.store(over, std::memory_order_release);
        teff::futex_wake(word_.address(), teff::futex_wake_all);
        for (std::thread& each : threads_)
            each.join();
    }

    struct worker {
        unsigned number = 0;
        std::atomic<int> thread{0};
        std::atomic<int> times_awake{0};
        cpu_mask mask_when_awake;
    };

    worker& start(unsigned number, const cpu_mask& mask) {
        workers_.push_back(std::make_unique<worker>());
        worker& made = *workers_.back();
        made.number = number;
        threads_.emplace_back([this, &made, mask] { run(made, mask); });
        return made;
    }
    void run(worker& self, const cpu_mask& mask) {
        EXPECT_TRUE(mask.bind_calling_thread());
        self.thread = ::gettid();
        // acquire: partner: the release in the destructor.
        while (word_.load(std::memory_order_acquire) != over) {
            placement_->sleep(self.number, word_, asleep);
            self.mask_when_awake = cpu_mask::of_calling_thread();
            ++self.times_awake;
        }
    }
    // Wakes one worker, as soon as one sleeps. One that was chosen before it slept is no longer chosen.
    void wake() {
        constexpr std::uint32_t any = ~0U;
        while (!placement_->wake_one(word_.address()) && teff::futex_wake_those(word_.address(), 1, any) == 0)
            std::this_thread::yield();
    }
    static void await(const std::atomic<int>& count, int least) {
        while (count.load() < least)
            std::this_thread::yield();
    }

    const cpu_mask all_ = cpu_mask::of_calling_thread();
    std::unique_ptr<teff::wake_placement> placement_ = std::make_unique<teff::wake_placement>();
    teff::futex_word word_{asleep};
    std::vector<std::unique_ptr<worker>> workers_;
    std::vector<std::thread> threads_;
};

TEST_F(wake_placement, wakes_nobody_where_nobody_sleeps) { EXPECT_FALSE(placement_->wake_one(word_.address())); }

TEST_F(wake_placement, wakes_a_worker_and_no_other_one) {
    worker& one = start(1, all_);
    wake();
    await(one.times_awake, 1);
    worker& two = start(2, all_);
    for (int times = 1; one.times_awake.load() + two.times_awake.load() < 50; ++times) {
        wake();
        while (one.times_awake.load() + two.times_awake.load() <= times)
            std::this_thread::yield();
        EXPECT_EQ(one.times_awake.load() + two.times_awake.load(), times + 1);
    }
}

TEST_F(wake_placement, a_worker_with_a_number_beyond_all_bounds_sleeps_and_is_not_chosen) {
    worker& one = start(1'000'000, all_);
    EXPECT_FALSE(placement_->wake_one(word_.address()));
    while (one.times_awake.load() == 0)
        teff::futex_wake(word_.address(), 1);
}

TEST_F(wake_placement, a_worker_has_its_whole_mask_when_it_is_awake) {
    placement_->keep_off(1'000'000);
    worker& one = start(1, all_);
    for (int times = 1; times <= 100; ++times) {
        wake();
        await(one.times_awake, times);
        EXPECT_EQ(cpu_mask::of_thread(one.thread).count(), all_.count());
    }
}

TEST_F(wake_placement, a_worker_with_one_processor_keeps_it) {
    placement_->keep_off(1'000'000);
    cpu_mask one_cpu;
    one_cpu.add(::sched_getcpu());
    ASSERT_TRUE(one_cpu.bind_calling_thread());
    worker& bound = start(1, one_cpu);
    wake();
    await(bound.times_awake, 1);
    EXPECT_EQ(cpu_mask::of_thread(bound.thread).count(), 1);
    ASSERT_TRUE(all_.bind_calling_thread());
}

// The worker sleeps on a word that no wake-up reaches, so that its mask can be seen while it is called and sleeps.
TEST_F(wake_placement, a_worker_that_is_called_loses_the_processor_of_the_caller_until_it_is_awake) {
    if (all_.count() < 2)
        GTEST_SKIP() << "needs two processors";
    placement_->keep_off(1'000'000);
    worker& one = start(1, all_);
    cpu_mask here;
    here.add(::sched_getcpu());
    ASSERT_TRUE(here.bind_calling_thread());
    teff::futex_word elsewhere{0};
    await(one.thread, 1);
    while (cpu_mask::of_thread(one.thread).count() == all_.count())
        EXPECT_FALSE(placement_->wake_one(elsewhere.address()));
    const cpu_mask asleep_mask = cpu_mask::of_thread(one.thread);
    EXPECT_EQ(asleep_mask.count(), all_.count() - 1);
    EXPECT_FALSE(asleep_mask.contains(::sched_getcpu()));
    ASSERT_TRUE(all_.bind_calling_thread());
    while (one.times_awake.load() == 0)
        teff::futex_wake(word_.address(), 1);
    EXPECT_EQ(cpu_mask::of_thread(one.thread).count(), all_.count());
}

}  // namespace
