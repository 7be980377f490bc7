// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The guarantees of every scheduler when a team is stopped or a move fails: the work ends, nothing runs twice, and
// every item is destroyed.
#include <tests/conformance/each_scheduler.hpp>
#include <tests/conformance/scheduler_team.hpp>
#include <tests/conformance/tracked.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <sched.h>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace conformance;
using item_type = tracked<>;

teff::scheduler_settings with_small_queues(unsigned slots) {
    return {.slots = slots, .block_size = 4, .xqueue_capacity = 8};
}

// Each case is written for the team of one scheduler class.
class scheduler_stop : public each_scheduler {
protected:
    // Calls use.operator()<Team>(settings), like with_class().
    template <class Use>
    void with_team(unsigned slots, Use use) {
        with_class<item_type>(with_small_queues(slots), [&]<class Scheduler>(const teff::scheduler_settings& chosen) {
            use.template operator()<scheduler_team<Scheduler, item_type>>(chosen);
        });
    }
    void TearDown() override { item_type::expect_none_alive(); }

    // Each item is followed by another one, endlessly; the body's call number `stop_at` stops the team.
    template <class Team>
    static void stop_endless_work(const teff::scheduler_settings& settings, long stop_at) {
        std::atomic<long> calls{0};
        Team* running = nullptr;
        Team team(settings, [&](auto& self, item_type& item) {
            self.push(item_type(item.number()));
            if (++calls == stop_at)
                running->stop();
        });
        running = &team;
        team.run([](auto& caller) {
            for (std::uint32_t number = 0; number < 100; ++number)
                caller.push(item_type(number));
        });
        EXPECT_GE(calls.load(), stop_at);
        EXPECT_EQ(team.failures(), 0);
    }

    // A tree of `size` items whose n-th move fails. Returns whether there were that many moves.
    template <class Team>
    static bool fail_nth_move(const teff::scheduler_settings& settings, long n, std::uint32_t size) {
        std::vector<std::atomic<unsigned char>> ran(size);
        item_type::moves.set(n);
        Team team(settings, [&](auto& self, item_type& item) {
            const std::uint32_t number = item.number();
            ran[number].fetch_add(1);
            for (std::uint32_t next = 2 * number + 1; next < 2 * number + 3 && next < size; ++next)
                self.push(item_type(next));
        });
        team.run([](auto& caller) { caller.push(item_type(0)); });
        const bool reached = item_type::moves.reached();
        EXPECT_EQ(team.failures(), reached ? 1 : 0);
        long total = 0;
        for (const auto& each : ran) {
            EXPECT_LE(each.load(), 1);
            total += each.load();
        }
        if (!reached) {
            EXPECT_EQ(total, static_cast<long>(size));
        }
        return reached;
    }
};
INSTANTIATE_TEST_SUITE_P(, scheduler_stop, testing::ValuesIn(all_rows()), row_names());
INSTANTIATE_TEST_SUITE_P(with_rescue, scheduler_stop, testing::ValuesIn(rows_with_rescue()), row_names());

TEST_P(scheduler_stop, endless_work_ends_when_cancelled_from_inside) {
    for (const unsigned slots : {1U, 2U, 5U, 16U}) {
        SCOPED_TRACE(slots);
        with_team(slots, []<class Team>(const teff::scheduler_settings& settings) {
            stop_endless_work<Team>(settings, 1);
            stop_endless_work<Team>(settings, 2'000);
        });
    }
}

TEST_P(scheduler_stop, endless_work_ends_when_cancelled_from_outside) {
    for (const unsigned slots : {1U, 3U}) {
        SCOPED_TRACE(slots);
        with_team(slots, []<class Team>(const teff::scheduler_settings& settings) {
            std::atomic<long> calls{0};
            Team team(settings, [&](auto& self, item_type& item) {
                ++calls;
                self.push(item_type(item.number()));
            });
            std::thread outsider([&] {
                while (calls.load() < 500)
                    ::sched_yield();
                team.stop();
            });
            team.run([](auto& caller) { caller.push(item_type(0)); });
            outsider.join();
            EXPECT_GE(calls.load(), 500);
        });
    }
}

TEST_P(scheduler_stop, nothing_runs_after_a_cancellation_before_the_start) {
    for (const unsigned slots : {1U, 3U}) {
        SCOPED_TRACE(slots);
        with_team(slots, []<class Team>(const teff::scheduler_settings& settings) {
            Team team(settings, [](auto&, item_type&) {});
            team.stop();
            team.run([](auto& caller) {
                for (std::uint32_t number = 0; number < 1000; ++number)
                    caller.push(item_type(number));
            });
            EXPECT_EQ(team.finished_items(), 0);
        });
    }
}

TEST_P(scheduler_stop, queued_items_are_dropped_on_request) {
    with_team(2, []<class Team>(const teff::scheduler_settings& settings) {
        Team team(settings, [](auto&, item_type&) {});
        auto only = team.enter(0);
        for (std::uint32_t number = 0; number < 100; ++number)
            only.push(item_type(number));
        EXPECT_GT(item_type::alive.load(), 0);
        only.local().drop_all();
        item_type::expect_none_alive();
        EXPECT_EQ(only.local().refill(), nullptr);
        only.local().retire();
        EXPECT_TRUE(team.scheduler().finished());
        only.leave();
    });
}

constexpr std::uint32_t tree_size = 300;

// Fails every move once, up to the first number that the work does not reach.
TEST_P(scheduler_stop, a_failing_move_loses_no_instance) {
    with_team(1, []<class Team>(const teff::scheduler_settings& settings) {
        for (long n = 1; fail_nth_move<Team>(settings, n, tree_size); ++n) {
            item_type::expect_none_alive();
            ASSERT_LT(n, 100'000) << "the moves of a tree of " << tree_size << " items do not end";
        }
    });
    for (const unsigned slots : {2U, 5U})
        with_team(slots, [slots]<class Team>(const teff::scheduler_settings& settings) {
            for (long n = 1; n < 1000; n += n / 8 + 1) {
                SCOPED_TRACE(std::to_string(slots) + " members, move " + std::to_string(n));
                fail_nth_move<Team>(settings, n, tree_size);
                item_type::expect_none_alive();
            }
        });
}

TEST_P(scheduler_stop, a_failing_body_ends_the_team) {
    for (const unsigned slots : {1U, 2U, 5U}) {
        SCOPED_TRACE(slots);
        with_team(slots, []<class Team>(const teff::scheduler_settings& settings) {
            Team team(settings, [](auto& self, item_type& item) {
                self.push(item_type(item.number() + 1));
                self.push(item_type(item.number() + 1));
                if (item.number() == 9)
                    throw failure("body");
            });
            team.run([](auto& caller) { caller.push(item_type(0)); });
            EXPECT_GE(team.failures(), 1);
        });
    }
}

}  // namespace
