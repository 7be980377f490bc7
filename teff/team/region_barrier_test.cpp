// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier opens once, when all members have arrived and all tasks have run, and makes everything before it visible.
#include <teff/team/region_barriers.hpp>

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
    teff::region_barrier barrier(2);
    const teff::wait_condition first = barrier.condition_for(barrier.arrive(0, 2).awaited);
    EXPECT_FALSE(barrier.try_open(2, all_ran));
    EXPECT_FALSE(first.is_met());
    const teff::wait_condition second = barrier.condition_for(barrier.arrive(1, 2).awaited);
    EXPECT_TRUE(barrier.try_open(2, all_ran));
    EXPECT_TRUE(first.is_met());
    EXPECT_TRUE(second.is_met());
}

TEST(region_barrier, stays_closed_while_tasks_are_left) {
    teff::region_barrier barrier(1);
    const teff::wait_condition awaited = barrier.condition_for(barrier.arrive(0, 1).awaited);
    EXPECT_FALSE(barrier.try_open(1, some_left));
    EXPECT_FALSE(awaited.is_met());
    EXPECT_TRUE(barrier.try_open(1, all_ran));
    EXPECT_TRUE(awaited.is_met());
}

TEST(region_barrier, does_not_ask_for_tasks_before_all_have_arrived) {
    teff::region_barrier barrier(2);
    barrier.arrive(0, 2);
    bool has_asked = false;
    EXPECT_FALSE(barrier.try_open(2, [&] { return has_asked = true; }));
    EXPECT_FALSE(has_asked);
}

// Sizes around the powers of the group's size, in a tree that was made for more; members arrive in both directions.
TEST(region_barrier, opens_once_for_each_arrival_of_all) {
    constexpr unsigned most = 70;
    for (const unsigned group_bits : {1U, 2U, 3U}) {
        teff::region_barrier barrier(most, group_bits);
        for (unsigned size = 1; size <= most; ++size) {
            SCOPED_TRACE(size);
            for (const bool backwards : {false, true}) {
                unsigned awaited = 0;
                for (unsigned i = 0; i < size; ++i) {
                    EXPECT_FALSE(barrier.try_open(size, all_ran));
                    const teff::region_barrier::arrival mine = barrier.arrive(backwards ? size - 1 - i : i, size);
                    EXPECT_EQ(mine.is_last, i + 1 == size);
                    awaited = mine.awaited;
                }
                EXPECT_FALSE(barrier.condition_for(awaited).is_met());
                EXPECT_TRUE(barrier.try_open(size, all_ran));
                EXPECT_FALSE(barrier.try_open(size, all_ran));
                EXPECT_TRUE(barrier.condition_for(awaited).is_met());
                EXPECT_FALSE(barrier.condition_for(awaited + 1).is_met());
            }
        }
    }
}

// Those that have arrived may be at any node.
TEST(region_barrier, forgets_arrivals_at_a_restart) {
    constexpr unsigned size = 22;
    teff::region_barrier barrier(size);
    for (unsigned arrived = 0; arrived < size; ++arrived) {
        for (unsigned member = 0; member < arrived; ++member)
            barrier.arrive(member, size);
        barrier.restart();
        for (unsigned member = 0; member < size; ++member)
            EXPECT_EQ(barrier.arrive(member, size).is_last, member + 1 == size);
        EXPECT_TRUE(barrier.try_open(size, all_ran));
    }
}

// Members write ordinary memory, look once, and read the memory of all others after the barrier. While a member waits,
// it runs the task that another member has made.
class barrier_meeting {
public:
    barrier_meeting(unsigned size, unsigned group_bits)
        : size_(size), members_(size), barrier_(size, group_bits) {}

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
        const teff::wait_condition awaited = barrier_.condition_for(barrier_.arrive(me, size_).awaited);
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
    for (const unsigned size : {1U, 2U, 4U, 7U}) {
        for (const unsigned group_bits : {1U, 2U}) {
            SCOPED_TRACE(size);
            barrier_meeting all(size, group_bits);
            all.run(size > 4 ? 100 : 500);
        }
    }
}

}  // namespace
