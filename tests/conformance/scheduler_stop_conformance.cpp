// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every scheduler promises when a team is stopped or a move fails: the work ends, nothing runs twice, and every
// item is destroyed.
#include <tests/conformance/scheduler_team.hpp>
#include <tests/conformance/scheduler_types.hpp>
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

teff::scheduler_settings settings_for(unsigned slots) {
    return {.slots = slots, .block_size = 4, .xqueue_capacity = 8};
}

template <class Choice>
using team_of = scheduler_team<typename Choice::template scheduler_for<item_type>, item_type>;

template <class Choice>
struct scheduler_stop : testing::Test {
    using member = typename team_of<Choice>::member;

    void TearDown() override { item_type::expect_none_alive(); }

    // Each item is followed by another, for ever; `stop_at` calls to the body later the team is stopped from inside.
    void stop_endless_work(unsigned slots, long stop_at) {
        std::atomic<long> calls{0};
        team_of<Choice>* running = nullptr;
        team_of<Choice> team(Choice::with(settings_for(slots)), [&](member& self, item_type& item) {
            self.push(item_type(item.number()));
            if (++calls == stop_at)
                running->stop();
        });
        running = &team;
        team.run([](member& caller) {
            for (std::uint32_t number = 0; number < 100; ++number)
                caller.push(item_type(number));
        });
        EXPECT_GE(calls.load(), stop_at);
        EXPECT_EQ(team.failures(), 0);
    }

    // A tree of `size` items, in which the n-th move fails. True if there were so many moves.
    bool fail_nth_move(unsigned slots, long n, std::uint32_t size) {
        std::vector<std::atomic<unsigned char>> ran(size);
        item_type::moves.set(n);
        team_of<Choice> team(Choice::with(settings_for(slots)), [&](member& self, item_type& item) {
            const std::uint32_t number = item.number();
            ran[number].fetch_add(1);
            for (std::uint32_t next = 2 * number + 1; next < 2 * number + 3 && next < size; ++next)
                self.push(item_type(next));
        });
        team.run([](member& caller) { caller.push(item_type(0)); });
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
TYPED_TEST_SUITE(scheduler_stop, choice_types, choice_type_names);

TYPED_TEST(scheduler_stop, endless_work_ends_when_cancelled_from_inside) {
    for (const unsigned slots : {1U, 2U, 5U, 16U}) {
        SCOPED_TRACE(slots);
        this->stop_endless_work(slots, 1);
        this->stop_endless_work(slots, 2'000);
    }
}

TYPED_TEST(scheduler_stop, endless_work_ends_when_cancelled_from_outside) {
    using team_type = team_of<TypeParam>;
    for (const unsigned slots : {1U, 3U}) {
        SCOPED_TRACE(slots);
        std::atomic<long> calls{0};
        team_type team(TypeParam::with(settings_for(slots)), [&](auto& self, item_type& item) {
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
    }
}

TYPED_TEST(scheduler_stop, nothing_runs_after_a_cancellation_before_the_start) {
    using team_type = team_of<TypeParam>;
    for (const unsigned slots : {1U, 3U}) {
        SCOPED_TRACE(slots);
        team_type team(TypeParam::with(settings_for(slots)), [](auto&, item_type&) {});
        team.stop();
        team.run([](auto& caller) {
            for (std::uint32_t number = 0; number < 1000; ++number)
                caller.push(item_type(number));
        });
        EXPECT_EQ(team.finished_items(), 0);
    }
}

TYPED_TEST(scheduler_stop, queued_items_are_dropped_on_request) {
    using team_type = team_of<TypeParam>;
    team_type team(TypeParam::with(settings_for(2)), [](auto&, item_type&) {});
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
}

// Every move once, up to the first that the work does not reach.
TYPED_TEST(scheduler_stop, a_failing_move_loses_no_instance) {
    constexpr std::uint32_t size = sanitized ? 100 : 300;
    for (long n = 1; this->fail_nth_move(1, n, size); ++n) {
        item_type::expect_none_alive();
        ASSERT_LT(n, 100'000) << "the moves of a tree of " << size << " items do not end";
    }
    for (const unsigned slots : {2U, 5U})
        for (long n = 1; n < 1000; n += n / 8 + 1) {
            SCOPED_TRACE(std::to_string(slots) + " members, move " + std::to_string(n));
            this->fail_nth_move(slots, n, size);
            item_type::expect_none_alive();
        }
}

TYPED_TEST(scheduler_stop, a_failing_body_ends_the_team) {
    using team_type = team_of<TypeParam>;
    for (const unsigned slots : {1U, 2U, 5U}) {
        SCOPED_TRACE(slots);
        team_type team(TypeParam::with(settings_for(slots)), [](auto& self, item_type& item) {
            self.push(item_type(item.number() + 1));
            self.push(item_type(item.number() + 1));
            if (item.number() == 9)
                throw failure("body");
        });
        team.run([](auto& caller) { caller.push(item_type(0)); });
        EXPECT_GE(team.failures(), 1);
    }
}

}  // namespace
