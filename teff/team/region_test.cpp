// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A region has exactly as many members as requested, all present at once, each with a number of its own; also inside
// other regions.
#include <teff/team/region.hpp>

#include <teff/pool/pool.hpp>
#include <teff/strand/running_thread.hpp>
#include <teff/team/session.hpp>
#include <teff/team/task_team.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <vector>

namespace {

// Every member waits for all others, twice, so that a region that lacks a member does not end.
struct roll_call {
    explicit roll_call(unsigned size) : wanted(size), thread_of(size) {}

    static void answer(void* argument, unsigned member, unsigned size) noexcept {
        auto& self = *static_cast<roll_call*>(argument);
        if (size != self.wanted || member >= size || self.present[0].load() == size) {
            self.wrong.fetch_add(1);
            return;
        }
        self.thread_of[member] = pthread_self();
        self.times.fetch_add(1);
        for (std::atomic<unsigned>& round : self.present) {
            round.fetch_add(1);
            while (round.load() != size)
                ::sched_yield();
        }
        if (self.inside != nullptr)
            self.inside(self, member);
    }

    void expect_right() const {
        EXPECT_EQ(wrong.load(), 0U);
        EXPECT_EQ(times.load(), wanted);
        EXPECT_TRUE(pthread_equal(thread_of[0], pthread_self()));
        for (unsigned a = 0; a < wanted; ++a)
            for (unsigned b = 0; b < a; ++b)
                EXPECT_FALSE(pthread_equal(thread_of[a], thread_of[b])) << a << " and " << b;
    }

    const unsigned wanted;
    std::vector<pthread_t> thread_of;
    std::atomic<unsigned> present[2]{};
    std::atomic<unsigned> times{0}, wrong{0};
    void (*inside)(roll_call&, unsigned member) = nullptr;
};

// Runs `body` on a thread of its own, so that the team that this thread keeps ends with it: other tests of this process
// count the pool's workers.
template <class Body>
void on_own_thread(Body&& body) {
    std::thread(body).join();
}

TEST(region, has_all_members_at_once_with_numbers_of_their_own) {
    on_own_thread([] {
        for (const unsigned size : {1U, 2U, 16U, 3U, 16U}) {
            SCOPED_TRACE(size);
            roll_call call(size);
            EXPECT_EQ(teff::run_region(size, roll_call::answer, &call), size);
            call.expect_right();
        }
    });
}

TEST(region, is_formed_again_and_again) {
    on_own_thread([] {
        for (int round = 0; round < 100; ++round) {
            roll_call call(4);
            EXPECT_EQ(teff::run_region(4, roll_call::answer, &call), 4U);
            call.expect_right();
        }
    });
}

TEST(region, the_workers_that_it_takes_are_replaced_while_another_team_is_open) {
    on_own_thread([] {
        teff::begin_session();
        const unsigned before = teff::pool::instance().worker_count();
        if (before == 0)
            GTEST_SKIP() << "on one CPU a session has no workers";
        roll_call call(before + 1);
        EXPECT_EQ(teff::run_region(before + 1, roll_call::answer, &call), before + 1);
        EXPECT_GT(teff::pool::instance().worker_count(), before);
    });
}

TEST(region, every_member_may_form_one_itself) {
    on_own_thread([] {
        roll_call outer(4);
        outer.inside = [](roll_call&, unsigned member) {
            roll_call inner(member + 1);
            EXPECT_EQ(teff::run_region(member + 1, roll_call::answer, &inner), member + 1);
            inner.expect_right();
        };
        EXPECT_EQ(teff::run_region(4, roll_call::answer, &outer), 4U);
        outer.expect_right();
    });
}

TEST(region, a_member_may_form_one_after_the_caller_is_through) {
    on_own_thread([] {
        struct late {
            static void run(void* argument, unsigned member, unsigned size) noexcept {
                auto& through = *static_cast<std::atomic<unsigned>*>(argument);
                if (member + 1 != size) {
                    through.fetch_add(1);
                    return;
                }
                while (through.load() != size - 1)
                    ::sched_yield();
                roll_call inner(size);
                EXPECT_EQ(teff::run_region(size, roll_call::answer, &inner), size);
                inner.expect_right();
            }
        };
        for (int round = 0; round < 50; ++round) {
            std::atomic<unsigned> through{0};
            EXPECT_EQ(teff::run_region(4, late::run, &through), 4U);
        }
    });
}

TEST(region, no_thread_is_two_of_its_members) {
    on_own_thread([] {
        struct roll {
            std::array<pthread_t, 8> thread_of{};
            static void run(void* argument, unsigned member, unsigned) noexcept {
                static_cast<roll*>(argument)->thread_of[member] = ::pthread_self();
            }
        };
        for (int round = 0; round < 100; ++round) {
            roll call;
            EXPECT_EQ(teff::run_region(8, roll::run, &call), 8U);
            for (unsigned a = 0; a < 8; ++a)
                for (unsigned b = 0; b < a; ++b)
                    EXPECT_FALSE(pthread_equal(call.thread_of[a], call.thread_of[b])) << a << " and " << b;
        }
    });
}

TEST(region, two_of_them_run_at_once) {
    on_own_thread([] {
        for (int round = 0; round < 20; ++round) {
            // Neither region can end before the other has begun.
            static std::atomic<unsigned> begun;
            begun.store(0);
            const auto run = [] {
                roll_call call(8);
                call.inside = [](roll_call&, unsigned member) {
                    if (member == 0)
                        begun.fetch_add(1);
                    while (begun.load() != 2)
                        ::sched_yield();
                };
                EXPECT_EQ(teff::run_region(8, roll_call::answer, &call), 8U);
                call.expect_right();
            };
            std::thread other(run);
            run();
            other.join();
        }
    });
}

// A region whose caller opens another one while it has more tasks than its queue can show.
struct region_with_tasks {
    struct counted_task : teff::task_header {
        counted_task() noexcept : task_header(&run_one) {}
        region_with_tasks* of = nullptr;
    };
    static void run_one(teff::task_header& self) noexcept {
        region_with_tasks& all = *static_cast<counted_task&>(self).of;
        all.ran_by_caller.fetch_add(teff::running_thread.member->slot() == 0 ? 1 : 0);
        all.ran.fetch_add(1);
    }
    static void run(void* argument, unsigned member, unsigned) noexcept {
        auto& self = *static_cast<region_with_tasks*>(argument);
        if (member != 0) {
            while (!self.has_opened.load())
                ::sched_yield();
            return;
        }
        for (counted_task& each : self.tasks) {
            each.of = &self;
            EXPECT_TRUE(teff::running_thread.member->push(each));
        }
        EXPECT_EQ(teff::run_region(1, run_inside, &self), 1U);
    }
    static void run_inside(void* argument, unsigned, unsigned) noexcept {
        auto& self = *static_cast<region_with_tasks*>(argument);
        self.has_opened.store(true);
        while (self.ran.load() != self.tasks.size())
            ::sched_yield();
    }

    std::array<counted_task, 300> tasks;
    std::atomic<unsigned> ran{0}, ran_by_caller{0};
    std::atomic<bool> has_opened{false};
};

// They are run by the other member, and not on top of the task that opens the region.
TEST(region, opening_one_runs_no_task) {
    on_own_thread([] {
        region_with_tasks all;
        EXPECT_EQ(teff::run_region(2, region_with_tasks::run, &all), 2U);
        EXPECT_EQ(all.ran_by_caller.load(), 0U);
    });
}

}  // namespace
