// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier opens once, when all members have arrived and all tasks have run, and makes everything before it visible.
#include <teff/runtime/region_barrier.hpp>

#include <teff/scheduler/termination_detector.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <sched.h>
#include <thread>
#include <vector>

namespace {

constexpr auto all_ran = [] { return true; };
constexpr auto some_left = [] { return false; };

TEST(region_barrier, opens_when_the_last_member_has_arrived) {
    teff::region_barrier barrier;
    const teff::wait_condition first = barrier.condition_for(barrier.arrive().awaited);
    EXPECT_FALSE(barrier.try_open(2, all_ran));
    EXPECT_FALSE(first.is_met());
    const teff::wait_condition second = barrier.condition_for(barrier.arrive().awaited);
    EXPECT_TRUE(barrier.try_open(2, all_ran));
    EXPECT_TRUE(first.is_met());
    EXPECT_TRUE(second.is_met());
}

TEST(region_barrier, stays_closed_while_tasks_are_left) {
    teff::region_barrier barrier;
    const teff::wait_condition awaited = barrier.condition_for(barrier.arrive().awaited);
    EXPECT_FALSE(barrier.try_open(1, some_left));
    EXPECT_FALSE(awaited.is_met());
    EXPECT_TRUE(barrier.try_open(1, all_ran));
    EXPECT_TRUE(awaited.is_met());
}

TEST(region_barrier, does_not_ask_for_tasks_before_all_have_arrived) {
    teff::region_barrier barrier;
    barrier.arrive();
    bool has_asked = false;
    EXPECT_FALSE(barrier.try_open(2, [&] { return has_asked = true; }));
    EXPECT_FALSE(has_asked);
}

TEST(region_barrier, opens_once_for_each_arrival_of_all) {
    teff::region_barrier barrier;
    for (unsigned size : {1U, 3U, 2U}) {
        SCOPED_TRACE(size);
        unsigned awaited = 0;
        for (unsigned i = 0; i < size; ++i) {
            const teff::region_barrier::arrival mine = barrier.arrive();
            EXPECT_EQ(mine.order, i + 1);
            awaited = mine.awaited;
        }
        EXPECT_FALSE(barrier.condition_for(awaited).is_met());
        EXPECT_TRUE(barrier.try_open(size, all_ran));
        EXPECT_FALSE(barrier.try_open(size, all_ran));
        EXPECT_TRUE(barrier.condition_for(awaited).is_met());
        EXPECT_FALSE(barrier.condition_for(awaited + 1).is_met());
    }
}

// Members write ordinary memory, look once, and read the memory of all others after the barrier. While a member waits,
// it runs the task that another member has made.
class barrier_meeting {
public:
    explicit barrier_meeting(unsigned size) : size_(size), members_(size) {}

    void run(unsigned rounds) {
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < size_; ++i)
            threads.emplace_back([this, i, rounds] { attend(i, rounds); });
        for (std::thread& each : threads)
            each.join();
        EXPECT_EQ(mistakes_.load(), 0U);
        EXPECT_EQ(openings_.load(), 2 * rounds);
    }

private:
    struct alignas(teff::false_sharing_range) member {
        teff::termination_detector::account account;
        std::atomic<bool> has_task{false};
        unsigned written = 0;
        unsigned task_result = 0;
    };

    void attend(unsigned me, unsigned rounds) {
        for (unsigned round = 1; round <= rounds; ++round) {
            members_[me].written = round;
            members_[me].account.count_push();
            members_[me].has_task.store(true);
            wait(me);
            for (const member& each : members_) {
                if (each.written != round || each.task_result != round)
                    mistakes_.fetch_add(1);
            }
            // No member writes again before all have read.
            wait(me);
        }
    }
    void wait(unsigned me) {
        const teff::wait_condition awaited = barrier_.condition_for(barrier_.arrive().awaited);
        look();
        while (!awaited.is_met()) {
            member& next = members_[(me + 1) % size_];
            if (next.has_task.exchange(false)) {
                // This is a task of the next round if its maker has already left this barrier and we have not.
                next.task_result = next.written;
                members_[me].account.count_run();
                look();
            } else {
                ::sched_yield();
            }
        }
    }
    void look() {
        const bool opened = barrier_.try_open(size_, [this] {
            return teff::termination_detector::all_ran(
                [this](unsigned i) -> const auto& { return members_[i].account; },
                                        [this] { return size_; });
        });
        openings_.fetch_add(opened ? 1 : 0);
    }

    const unsigned size_;
    std::vector<member> members_;
    teff::region_barrier barrier_;
    std::atomic<unsigned> mistakes_{0}, openings_{0};
};

TEST(region_barrier, shows_what_members_and_tasks_did_before) {
    for (const unsigned size : {1U, 2U, 4U}) {
        SCOPED_TRACE(size);
        barrier_meeting all(size);
        all.run(500);
    }
}

}  // namespace
