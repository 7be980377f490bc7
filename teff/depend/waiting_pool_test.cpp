// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pool finds tasks by depth, and in rounds that look at every task. Both also hold while tasks are added and taken
// and while the table grows.
#include <teff/depend/waiting_pool.hpp>

#include <teff/base/light_standard.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <limits>
#include <vector>

namespace {

namespace depend = teff::depend;

struct pooled : depend::tracked_task {
    explicit pooled(unsigned its_number) : tracked_task(nullptr, 0), number(its_number) {}
    unsigned number;
    bool is_ready = false;
    unsigned looked_at = 0;
};

using task_numbers = std::vector<unsigned>;

class waiting_pool : public testing::Test {
private:
    auto look() {
        return [this](const depend::tracked_task& task) {
            pooled& mine = tasks_[static_cast<const pooled&>(task).number];
            ++mine.looked_at;
            return mine.is_ready;
        };
    }
    static auto take_into(task_numbers& taken) {
        return [&taken](depend::tracked_task& task) { taken.push_back(static_cast<pooled&>(task).number); };
    }

protected:
    bool add(unsigned depth, bool is_ready = false) {
        pooled& made = tasks_.emplace_back(static_cast<unsigned>(tasks_.size()));
        made.state.make<depend::waiting_pool::hook>().depth = depth;
        made.is_ready = is_ready;
        return pool_.add(made, look());
    }
    task_numbers take_at(unsigned depth) {
        task_numbers taken;
        pool_.take_at(depth, look(), take_into(taken));
        return taken;
    }
    task_numbers take_some(bool begins, unsigned at_most) {
        task_numbers taken;
        pool_.take_some(begins, at_most, look(), take_into(taken));
        return taken;
    }
    task_numbers take_all() { return take_some(true, std::numeric_limits<unsigned>::max()); }
    void forget_looks() {
        for (pooled& each : tasks_)
            each.looked_at = 0;
    }
    unsigned looks() const {
        unsigned sum = 0;
        for (const pooled& each : tasks_)
            sum += each.looked_at;
        return sum;
    }

    depend::waiting_pool pool_;
    std::deque<pooled> tasks_;
};

TEST_F(waiting_pool, begins_empty) {
    EXPECT_TRUE(pool_.empty());
    EXPECT_FALSE(pool_.has_open_round());
    EXPECT_EQ(take_at(3), task_numbers{});
    EXPECT_EQ(take_all(), task_numbers{});
    EXPECT_FALSE(pool_.has_open_round());
}

TEST_F(waiting_pool, does_not_add_a_task_that_is_ready) {
    EXPECT_FALSE(add(1, true));
    EXPECT_TRUE(pool_.empty());
    EXPECT_TRUE(add(1));
    EXPECT_FALSE(pool_.empty());
}

TEST_F(waiting_pool, counts_a_task_before_it_asks_whether_it_is_ready) {
    pooled made(0);
    made.state.make<depend::waiting_pool::hook>();
    EXPECT_FALSE(pool_.add(made, [&](const depend::tracked_task&) { return !pool_.empty(); }));
    EXPECT_TRUE(pool_.empty());
}

TEST_F(waiting_pool, takes_tasks_of_a_depth_from_the_oldest_on) {
    for (const unsigned depth : {5U, 5U, 6U, 5U, 7U})
        add(depth);
    for (const unsigned ready : {0U, 1U, 2U, 3U})
        tasks_[ready].is_ready = true;
    EXPECT_EQ(take_at(7), task_numbers{}) << "it is not ready";
    EXPECT_EQ(take_at(4), task_numbers{}) << "there is none";
    EXPECT_EQ(take_at(5), (task_numbers{0, 1, 3}));
    EXPECT_EQ(take_at(6), task_numbers{2});
    tasks_[4].is_ready = true;
    EXPECT_EQ(take_at(7), task_numbers{4});
    EXPECT_TRUE(pool_.empty());
}

TEST_F(waiting_pool, stops_at_a_task_that_is_not_ready) {
    for (unsigned i = 0; i < 3; ++i)
        add(2);
    tasks_[0].is_ready = tasks_[2].is_ready = true;
    EXPECT_EQ(take_at(2), task_numbers{0});
    EXPECT_EQ(take_all(), task_numbers{2});
}

TEST_F(waiting_pool, does_not_take_another_depth_of_the_same_chain) {
    add(1);
    add(1025);
    tasks_[0].is_ready = tasks_[1].is_ready = true;
    EXPECT_EQ(take_at(2049), task_numbers{});
    EXPECT_EQ(take_at(1), task_numbers{0});
    EXPECT_EQ(take_at(1025), task_numbers{1});
}

TEST_F(waiting_pool, looks_at_each_task_once_per_round) {
    for (unsigned i = 0; i < 40; ++i)
        add(i % 7);
    forget_looks();
    unsigned calls = 0;
    for (bool begins = true; begins || pool_.has_open_round(); begins = false) {
        EXPECT_EQ(take_some(begins, 3), task_numbers{});
        ++calls;
        EXPECT_EQ(looks(), std::min(40U, 3 * calls));
    }
    EXPECT_EQ(calls, 14U);
    for (const pooled& each : tasks_)
        EXPECT_EQ(each.looked_at, 1U) << each.number;
    EXPECT_EQ(take_some(false, 3), task_numbers{});
    EXPECT_EQ(looks(), 40U) << "the round is over";
}

TEST_F(waiting_pool, a_round_takes_what_is_ready) {
    for (unsigned i = 0; i < 9; ++i)
        add(i);
    for (const unsigned ready : {1U, 4U, 8U})
        tasks_[ready].is_ready = true;
    task_numbers taken;
    for (bool begins = true; begins || pool_.has_open_round(); begins = false) {
        for (const unsigned each : take_some(begins, 1))
            taken.push_back(each);
    }
    std::sort(taken.begin(), taken.end());
    EXPECT_EQ(taken, (task_numbers{1, 4, 8}));
    EXPECT_FALSE(pool_.empty());
}

TEST_F(waiting_pool, a_round_begins_again) {
    for (unsigned i = 0; i < 6; ++i)
        add(i);
    EXPECT_EQ(take_some(true, 5), task_numbers{});
    EXPECT_TRUE(pool_.has_open_round());
    for (pooled& each : tasks_)
        each.is_ready = true;
    EXPECT_EQ(take_all().size(), 6U) << "also those that the round had looked at";
    EXPECT_FALSE(pool_.has_open_round());
}

// The table doubles from 8 to 16 chains when the ninth task is added.
TEST_F(waiting_pool, a_round_goes_on_when_the_table_grows) {
    for (unsigned seen = 1; seen < 8; ++seen) {
        SCOPED_TRACE(seen);
        depend::waiting_pool pool;
        std::deque<pooled> tasks;
        const auto add_to = [&](unsigned depth) {
            pooled& made = tasks.emplace_back(static_cast<unsigned>(tasks.size()));
            made.state.make<depend::waiting_pool::hook>().depth = depth;
            EXPECT_TRUE(pool.add(made, [](const depend::tracked_task&) { return false; }));
        };
        for (unsigned i = 0; i < 8; ++i)
            add_to(3 * i);
        const auto visit = [&](bool begins, unsigned at_most) {
            pool.take_some(begins, at_most, [&](const depend::tracked_task& task) {
                ++tasks[static_cast<const pooled&>(task).number].looked_at;
                return false;
            }, [](depend::tracked_task&) {});
        };
        visit(true, seen);
        add_to(1);
        EXPECT_TRUE(pool.has_open_round());
        while (pool.has_open_round())
            visit(false, 1);
        for (unsigned i = 0; i < 8; ++i)
            EXPECT_GE(tasks[i].looked_at, 1U) << i;
    }
}

TEST_F(waiting_pool, a_round_that_is_over_stays_so_when_the_table_grows) {
    for (unsigned i = 0; i < 8; ++i)
        add(i);
    take_all();
    for (unsigned i = 8; i < 20; ++i)
        add(i);
    forget_looks();
    EXPECT_EQ(take_some(false, 100), task_numbers{});
    EXPECT_EQ(looks(), 0U);
}

TEST_F(waiting_pool, keeps_the_order_of_a_depth_when_the_table_grows) {
    for (unsigned i = 0; i < 3; ++i)
        add(5);
    for (unsigned i = 0; i < 100; ++i)
        add(6 + 8 * i);  // never in the chain of 5
    add(5);
    for (pooled& each : tasks_)
        each.is_ready = true;
    EXPECT_EQ(take_at(5), (task_numbers{0, 1, 2, 103}));
}

// Random operations, compared with a plain list of the numbers of the waiting tasks.
TEST_F(waiting_pool, loses_no_task_and_takes_none_twice) {
    teff::random_generator random(11);
    task_numbers waiting;
    const auto forget = [&](const task_numbers& taken) {
        for (const unsigned each : taken) {
            ASSERT_TRUE(tasks_[each].is_ready);
            const auto place = std::find(waiting.begin(), waiting.end(), each);
            ASSERT_NE(place, waiting.end()) << "task " << each << " was taken again";
            waiting.erase(place);
        }
    };
    for (unsigned step = 0; step < 4000; ++step) {
        // Grows for a while, then shrinks.
        const bool grows = step / 500 % 2 == 0;
        switch (random.below(grows ? 4 : 8)) {
        case 0:
        case 1:
            if (add(static_cast<unsigned>(random.below(40)), random.below(8) == 0))
                waiting.push_back(static_cast<unsigned>(tasks_.size() - 1));
            break;
        case 2:
            forget(take_some(random.below(3) == 0, static_cast<unsigned>(random.below(20))));
            break;
        case 3:
            forget(take_at(static_cast<unsigned>(random.below(40))));
            break;
        default:
            if (!waiting.empty())
                tasks_[waiting[random.below(static_cast<unsigned>(waiting.size()))]].is_ready = true;
            break;
        }
        ASSERT_EQ(pool_.empty(), waiting.empty());
        if (step % 100 == 0) {
            forget(take_all());
            ASSERT_TRUE(std::none_of(waiting.begin(), waiting.end(), [&](unsigned i) { return tasks_[i].is_ready; }))
                << "a round has missed a task";
        }
    }
}

}  // namespace
