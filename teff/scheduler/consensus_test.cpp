// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end-of-work consensus: it must report the end at exactly one step, and never before.
#include <teff/scheduler/consensus.hpp>

#include <teff/base/light_standard.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

namespace {

using teff::consensus;

struct begun_work {
    consensus work;
    consensus::account first;

    begun_work() { work.begin(first); }
};

TEST(consensus, ends_when_the_first_member_has_nothing) {
    begun_work begun;
    auto& [work, first] = begun;
    EXPECT_TRUE(first.is_open());
    EXPECT_FALSE(work.is_over());
    EXPECT_TRUE(work.settle(first, 0));
    EXPECT_FALSE(first.is_open());
    EXPECT_TRUE(work.is_over());
}

TEST(consensus, waits_for_the_report_of_each_stolen_task) {
    begun_work begun;
    auto& [work, first] = begun;
    EXPECT_FALSE(work.report(first, 1));
    EXPECT_FALSE(work.settle(first, 3));
    EXPECT_FALSE(work.report(first, 1));
    EXPECT_FALSE(work.is_over());
    EXPECT_TRUE(work.report(first, 1));
    EXPECT_TRUE(work.is_over());
}

TEST(consensus, reports_before_the_settlement_count) {
    begun_work begun;
    auto& [work, first] = begun;
    EXPECT_FALSE(work.report(first, 2));
    EXPECT_TRUE(work.settle(first, 2));
    EXPECT_TRUE(work.is_over());
}

TEST(consensus, a_thief_whose_stolen_task_has_children_takes_over) {
    consensus work;
    consensus::account first;
    consensus::account thief;
    work.begin(first);
    EXPECT_FALSE(work.settle(first, 1));
    work.activate(thief);
    EXPECT_FALSE(work.report(first, 1));
    EXPECT_FALSE(work.is_over());
    EXPECT_TRUE(work.settle(thief, 0));
    EXPECT_TRUE(work.is_over());
}

TEST(consensus, an_owner_may_open_again_while_its_tasks_run_elsewhere) {
    consensus work;
    consensus::account one;
    consensus::account two;
    work.begin(one);
    // `two` runs a task of `one`; `one` settles, steals a task of `two`, and pushes new tasks of its own.
    work.activate(two);
    EXPECT_FALSE(work.settle(one, 1));
    work.activate(one);
    EXPECT_FALSE(work.report(two, 1));
    EXPECT_FALSE(work.settle(two, 1));
    EXPECT_FALSE(work.settle(one, 1)) << "the first stolen task is known already, and still runs";
    EXPECT_FALSE(work.is_over());
    EXPECT_TRUE(work.report(one, 1));
    EXPECT_TRUE(work.is_over());
}

// One thread plays members that steal tasks from each other, in random order, and records which tasks are queued and
// running. is_over() must hold exactly when no task is queued or running and all members have settled.
class played_team {
public:
    explicit played_team(std::uint64_t seed) : random_(seed) {
        work_.begin(members_[0].account);
        members_[0].queued = 1 + random_.below(4);
    }

    void step() {
        member& self = members_[random_.below(member_count)];
        if (self.running != none)
            go_on(self);
        else if (self.queued != 0)
            claim(self);
        else if (self.account.is_open())
            ended_ += work_.settle(self.account, self.stolen) ? 1 : 0;
        else
            steal(self);
    }

    bool has_work() const {
        for (const member& each : members_) {
            if (each.queued != 0 || each.running != none)
                return true;
        }
        return false;
    }
    bool all_settled() const {
        for (const member& each : members_) {
            if (each.account.is_open())
                return false;
        }
        return true;
    }
    bool is_over() const { return work_.is_over(); }
    int ended() const { return ended_; }

private:
    static constexpr unsigned member_count = 4, none = member_count;
    struct member {
        consensus::account account;
        unsigned queued = 0;
        std::uint64_t stolen = 0;  // tasks that were stolen from this member
        unsigned running = none;   // the owner of the task that it runs
    };

    unsigned number_of(const member& self) const { return static_cast<unsigned>(&self - members_.data()); }

    void claim(member& self) {
        --self.queued;
        self.running = number_of(self);
    }
    void go_on(member& self) {
        if (random_.below(100) < 45) {
            if (!self.account.is_open())
                work_.activate(self.account);
            ++self.queued;
            return;
        }
        const unsigned owner = std::exchange(self.running, none);
        if (owner != number_of(self))
            ended_ += work_.report(members_[owner].account, 1) ? 1 : 0;
    }
    void steal(member& self) {
        member& victim = members_[random_.below(member_count)];
        if (&victim == &self || victim.queued == 0)
            return;
        --victim.queued;
        ++victim.stolen;
        self.running = number_of(victim);
    }

    teff::random_generator random_;
    consensus work_;
    std::array<member, member_count> members_;
    int ended_ = 0;
};

TEST(consensus, is_over_exactly_at_the_end_in_random_histories) {
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        played_team team(seed);
        for (int step = 0; step < 100'000 && !team.is_over(); ++step) {
            team.step();
            if (team.is_over()) {
                ASSERT_FALSE(team.has_work()) << "seed " << seed << ", step " << step;
            } else {
                ASSERT_TRUE(team.has_work() || !team.all_settled()) << "seed " << seed << ", step " << step;
            }
        }
        ASSERT_TRUE(team.is_over()) << "seed " << seed;
        ASSERT_EQ(team.ended(), 1) << "seed " << seed;
    }
}

TEST(consensus, one_of_many_reporters_ends_the_work_and_sees_all_of_it) {
    constexpr unsigned reporters = 4, rounds = 200, tasks = 25;
    for (unsigned round = 0; round < rounds; ++round) {
        consensus work;
        consensus::account first;
        work.begin(first);
        std::array<teff::plain<unsigned>, reporters> done{};
        teff::atomic<unsigned> ended{0};
        std::vector<std::thread> threads;
        for (unsigned me = 0; me < reporters; ++me) {
            threads.emplace_back([&, me] {
                for (unsigned i = 0; i < tasks; ++i) {
                    done[me].write(i + 1);
                    if (work.report(first, 1))
                        // relaxed: read after the join.
                        ended.fetch_add(1, std::memory_order_relaxed);
                }
            });
        }
        if (work.settle(first, reporters * tasks))
            // relaxed: read after the join.
            ended.fetch_add(1, std::memory_order_relaxed);
        while (!work.is_over())
            std::this_thread::yield();
        for (const auto& each : done)
            ASSERT_EQ(each.read(), tasks);
        for (std::thread& thread : threads)
            thread.join();
        // relaxed: after the join.
        ASSERT_EQ(ended.load(std::memory_order_relaxed), 1U);
    }
}

}  // namespace
