// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The guarantees of every scheduler (scheduler.hpp), tested with real threads: each item runs exactly once, the end
// is detected and never too early, refused and overflowing items are not lost, slots pass from thread to thread,
// requests are answered.
//
// Stopped teams and failing moves are tested in scheduler_stop_conformance.cpp.
#include <tests/conformance/each_scheduler.hpp>
#include <tests/conformance/scheduler_team.hpp>
#include <tests/conformance/tracked.hpp>
#include <tests/stress/identities.hpp>

#include <teff/machine/machine_topology.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <sched.h>
#include <string>

namespace {

using namespace conformance;

// A trivially copyable item, in addition to the tracked ones.
struct plain_item {
    explicit plain_item(std::uint32_t its_number) : value(its_number) {}
    std::uint32_t number() const { return value; }
    static void expect_none_alive() {}
    std::uint32_t value;
};
// Yields in the middle of a move, so that other threads observe the states just before and after it.
struct hesitant_item : plain_item {
    using plain_item::plain_item;
    hesitant_item(hesitant_item&& other) noexcept : plain_item(other) { ::sched_yield(); }
    hesitant_item& operator=(hesitant_item&&) = delete;
};
using tracked_item = tracked<>;
using aligned_item = tracked<256>;
using big_item = tracked<alignof(void*), 1024>;

std::unique_ptr<teff::topology> machine_of(int sockets) {
    auto machine = std::make_unique<teff::topology>();
    teff::read_synthetic(*machine, {.sockets = sockets, .cores = 2, .threads = 2});
    return machine;
}

// Numbers 0 to `size` - 1 as a binary tree (2i + 1 and 2i + 2 follow i), as a chain, or as children of number 0.
enum class shape { tree, chain, wide };

template <class Team, class Item>
auto spread(shape form, std::uint32_t size, stress::identities& counts) {
    return [form, size, &counts](typename Team::member& self, Item& item) {
        const std::uint32_t number = item.number();
        EXPECT_TRUE(counts.deliver(number)) << number << " ran twice, or does not exist";
        // Now and then, other threads get the processor while an item runs.
        if (number % 128 == 0)
            ::sched_yield();
        std::uint32_t first = number + 1;
        std::uint32_t end = first;
        if (form == shape::tree)
            end = (first = 2 * number + 1) + 2;
        else if (form == shape::chain)
            end = first + 1;
        else if (number == 0)
            end = size;
        for (std::uint32_t next = first; next < end && next < size; ++next)
            self.push(Item(next));
    };
}

// Small blocks, so that blocks are allocated and retired all the time.
teff::scheduler_settings settings_for(unsigned slots, const teff::topology* machine = nullptr) {
    return {.slots = slots, .machine = machine, .block_size = 8, .xqueue_capacity = 8};
}

template <class Scheduler, class Item>
long run_shape_on(const teff::scheduler_settings& settings, shape form, std::uint32_t size, bool visitors) {
    using team_type = scheduler_team<Scheduler, Item>;
    long refused = 0;
    {
        stress::identities counts(size);
        team_type team(settings, spread<team_type, Item>(form, size, counts));
        const auto first = [](auto& caller) { caller.push(Item(0)); };
        if (visitors)
            team.run_with_visitors(first);
        else
            team.run(first);
        EXPECT_EQ(team.failures(), 0);
        EXPECT_EQ(team.finished_items(), static_cast<long>(size));
        EXPECT_EQ(counts.missing(), 0U) << "items were lost";
        refused = team.refused();
    }
    Item::expect_none_alive();
    return refused;
}

constexpr unsigned team_sizes[] = {1, 2, 5, 16};
constexpr std::uint32_t many = 30'000;

class scheduler_conformance : public each_scheduler {
protected:
    // Returns the number of refused items.
    template <class Item>
    long run_shape(const teff::scheduler_settings& settings, shape form, std::uint32_t size, bool visitors = false) {
        long refused = 0;
        with_class<Item>(settings, [&]<class Scheduler>(const teff::scheduler_settings& chosen) {
            refused = run_shape_on<Scheduler, Item>(chosen, form, size, visitors);
        });
        return refused;
    }
};
INSTANTIATE_TEST_SUITE_P(, scheduler_conformance, testing::ValuesIn(all_rows()), row_names());
INSTANTIATE_TEST_SUITE_P(with_rescue, scheduler_conformance, testing::ValuesIn(rows_with_rescue()), row_names());

TEST_P(scheduler_conformance, a_tree_on_every_topology_runs_once) {
    for (const int sockets : {1, 2, 8}) {
        const auto machine = machine_of(sockets);
        for (const unsigned slots : team_sizes) {
            SCOPED_TRACE(std::to_string(slots) + " members, " + std::to_string(sockets) + " sockets");
            run_shape<plain_item>(settings_for(slots, machine.get()), shape::tree, many);
        }
    }
}

TEST_P(scheduler_conformance, tracked_items_of_one_producer_run_once) {
    for (const unsigned slots : team_sizes) {
        SCOPED_TRACE(slots);
        run_shape<tracked_item>(settings_for(slots), shape::wide, many);
    }
}

TEST_P(scheduler_conformance, over_aligned_items_run_once) {
    run_shape<aligned_item>(settings_for(1), shape::tree, many);
    run_shape<aligned_item>(settings_for(3), shape::wide, many);
}

TEST_P(scheduler_conformance, big_items_run_once) {
    run_shape<big_item>(settings_for(1), shape::tree, many / 4);
    run_shape<big_item>(settings_for(3), shape::wide, many / 4);
    run_shape<big_item>(settings_for(3), shape::tree, many / 4);
}

// One item at a time, and every member searches for it: a wrong consensus would end the team too early.
TEST_P(scheduler_conformance, a_chain_is_followed_to_its_end) {
    for (const unsigned slots : team_sizes) {
        SCOPED_TRACE(slots);
        run_shape<plain_item>(settings_for(slots), shape::chain, slots > 5 ? many / 10 : many / 3);
    }
}

TEST_P(scheduler_conformance, the_end_is_not_seen_while_an_item_is_on_its_way) {
    for (const unsigned slots : {2U, 5U}) {
        SCOPED_TRACE(slots);
        run_shape<hesitant_item>(settings_for(slots), shape::chain, many / 30);
        run_shape<hesitant_item>(settings_for(slots), shape::tree, many / 30);
    }
}

TEST_P(scheduler_conformance, short_teams_end_again_and_again) {
    for (unsigned round = 0; round < 100; ++round)
        run_shape<tracked_item>(settings_for(3), shape::tree, 1 + round % 7);
}

TEST_P(scheduler_conformance, what_a_full_member_refuses_is_not_lost) {
    for (const unsigned slots : team_sizes) {
        SCOPED_TRACE(slots);
        teff::scheduler_settings small = settings_for(slots);
        small.block_size = 2;
        small.max_queued = 4;
        small.private_items = 4;
        small.xqueue_capacity = 4;
        const long refused = run_shape<tracked_item>(small, shape::wide, many / 4);
        // A producer without other members fills its queues after a few items.
        if (slots == 1) {
            EXPECT_GT(refused, 0);
        }
        run_shape<tracked_item>(small, shape::tree, many / 4);
        run_shape<tracked_item>(small, shape::chain, many / 40);
    }
}

TEST_P(scheduler_conformance, slots_pass_from_member_to_member) {
    for (const unsigned slots : {2U, 4U}) {
        SCOPED_TRACE(slots);
        run_shape<tracked_item>(settings_for(slots), shape::tree, many / 4, true);
        run_shape<tracked_item>(settings_for(slots), shape::wide, many / 4, true);
    }
}

// Two members on one thread, so that every step is determined. The idle worker is one of the pool: while a member
// searches, some schedulers ask for no other.
template <class Scheduler>
void expect_request_makes_items_visible(const teff::scheduler_settings& settings) {
    constexpr std::uint32_t items = 40;
    teff::event_count outside;
    teff::idle_tracker idle(outside, 1);
    Scheduler scheduler(settings, idle);
    auto owner = scheduler.enter(0, 0);
    const auto push = [&owner](tracked_item item) {
        if (!owner.try_push(std::move(item)) && !owner.push_slow(item))
            owner.push_overflow(item);
    };
    for (std::uint32_t number = 0; number < items; ++number)
        push(tracked_item(number));
    EXPECT_FALSE(scheduler.finished());

    auto thief = scheduler.enter(1, 1);
    outside.begin_search();
    scheduler.request();
    push(tracked_item(items));
    EXPECT_TRUE(scheduler.has_visible_work());
    EXPECT_NE(scheduler.queued_estimate(), 0U);
    // Some schedulers' steal() fails a few times first.
    bool found = false;
    for (unsigned looks = 0; looks < 1000 && !found; ++looks)
        found = thief.steal();
    ASSERT_TRUE(found);
    outside.end_search();

    std::uint32_t ran = 0;
    const auto run_all = [&ran](auto& self) {
        for (;;) {
            tracked_item* item = self.claim();
            if (item == nullptr)
                item = self.refill();
            if (item == nullptr)
                return;
            self.release(item);
            self.ran_one();
            ++ran;
        }
    };
    run_all(thief);
    EXPECT_GE(ran, 1U);
    thief.retire();
    EXPECT_FALSE(scheduler.finished());
    run_all(owner);
    EXPECT_FALSE(scheduler.finished());
    owner.retire();
    EXPECT_TRUE(scheduler.finished());
    EXPECT_EQ(ran, items + 1);
    EXPECT_FALSE(scheduler.has_visible_work());
    scheduler.leave(thief);
    scheduler.leave(owner);
}

TEST_P(scheduler_conformance, a_request_makes_items_visible_with_the_next_steps) {
    with_class<tracked_item>(settings_for(2), []<class Scheduler>(const teff::scheduler_settings& chosen) {
        expect_request_makes_items_visible<Scheduler>(chosen);
    });
    tracked_item::expect_none_alive();
}

TEST_P(scheduler_conformance, without_items_the_first_member_ends_the_work) {
    with_class<plain_item>(settings_for(3), []<class Scheduler>(const teff::scheduler_settings& chosen) {
        teff::event_count outside;
        teff::idle_tracker idle(outside, 0);
        Scheduler scheduler(chosen, idle);
        EXPECT_FALSE(scheduler.finished());
        auto only = scheduler.enter(0, 0);
        EXPECT_EQ(only.claim(), nullptr);
        EXPECT_EQ(only.refill(), nullptr);
        EXPECT_FALSE(scheduler.finished());
        only.retire();
        EXPECT_TRUE(scheduler.finished());
        EXPECT_FALSE(only.steal());
        scheduler.leave(only);
    });
}

}  // namespace
