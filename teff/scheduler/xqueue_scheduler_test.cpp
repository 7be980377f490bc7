// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Behaviour that is specific to the schedulers of X-OpenMP: to which member an item is dealt, when a request is
// answered and with how many items, what happens to items whose member has left, and how much memory queues take. One
// thread plays all members in turn, except where a test says otherwise. The tests of the scheduler contract are in
// tests/conformance, the interleavings are in tests/model/xqueue_scheduler_scenarios.cpp.
#include <teff/machine/placement.hpp>
#include <teff/scheduler/xqueue_scheduler.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using teff::xqueue_stealing;

template <class T>
class driven {
public:
    using scheduler = teff::xqueue_scheduler<T>;
    using cursor = typename scheduler::local;

    void start(teff::scheduler_settings settings, unsigned members) {
        members_.clear();
        team_.emplace(settings, idle_);
        while (members_.size() < members)
            enter(static_cast<unsigned>(members_.size()));
    }
    cursor& enter(unsigned slot) {
        members_.resize(std::max<std::size_t>(members_.size(), slot + 1));
        return members_[slot].emplace(team_->enter(slot, slot));
    }
    void leave(unsigned slot) {
        team_->leave(*members_[slot]);
        members_[slot].reset();
    }
    cursor& operator[](unsigned slot) { return *members_[slot]; }

    bool push(unsigned slot, T item) { return members_[slot]->try_push(std::move(item)); }
    // Runs the member's next item; false if it has none.
    template <class Run>
    bool run_one(unsigned slot, Run&& run) {
        cursor& self = *members_[slot];
        T* item = self.claim();
        if (item == nullptr)
            item = self.refill();
        if (item == nullptr)
            return false;
        run(*item);
        self.release(item);
        self.ran_one();
        return true;
    }
    // Tries many times, so that a request reaches every victim that may be chosen at random.
    bool steal(unsigned slot) {
        for (int looks = 0; looks < 100; ++looks) {
            if (members_[slot]->steal())
                return true;
        }
        return false;
    }

    teff::event_count outside_;
    teff::idle_tracker idle_{outside_, 0};
    std::optional<scheduler> team_;

private:
    std::vector<std::optional<cursor>> members_;
};

class xqueue_scheduler : public testing::Test, protected driven<int> {
protected:
    static teff::scheduler_settings settings(xqueue_stealing stealing, unsigned slots) {
        return {.slots = slots,
                .stealing = stealing,
                .xqueue_capacity = 4,
                .min_tries = 1,
                .max_tries = 4,
                .xqueue_full_pause = 0};
    }
    // The member's next item, or -1.
    int take(unsigned slot) {
        int value = -1;
        run_one(slot, [&](int item) { value = item; });
        return value;
    }
    std::vector<int> take_all(unsigned slot) {
        std::vector<int> all;
        for (int value = take(slot); value != -1; value = take(slot))
            all.push_back(value);
        return all;
    }
    void push_many(unsigned slot, int first, int end) {
        for (; first < end; ++first)
            ASSERT_TRUE(push(slot, first));
    }
    // Slot 0 pushes items 0 to count - 1 while it is alone, into its own queue; then the other members join.
    void start_with_items(xqueue_stealing stealing, unsigned members, int count) {
        start(settings(stealing, members), 1);
        push_many(0, 0, count);
        for (unsigned slot = 1; slot < members; ++slot)
            enter(slot);
    }
};

// Sleeps in these tests have this time-out. A thread that was notified before it sleeps does not sleep at all.
constexpr std::int64_t no_time_ns = 1;

constexpr xqueue_stealing all_stealings[] = {xqueue_stealing::none, xqueue_stealing::wait, xqueue_stealing::no_wait,
                                             xqueue_stealing::no_wait_two};

TEST_F(xqueue_scheduler, deals_out_in_turn) {
    for (const xqueue_stealing kind : all_stealings) {
        driven<int>::start(settings(kind, 4), 0);
        for (const unsigned slot : {0U, 1U, 2U, 3U})
            enter(slot);
        push_many(1, 0, 8);
        for (const unsigned slot : {0U, 1U, 2U, 3U}) {
            const std::vector<int> got = take_all(slot);
            ASSERT_EQ(got.size(), 2U) << slot;
            EXPECT_EQ(got[1], got[0] + 4) << slot;
        }
    }
}

TEST_F(xqueue_scheduler, deals_to_the_members_that_have_joined) {
    start(settings(xqueue_stealing::none, 4), 4);
    push_many(0, 0, 4);
    leave(2);
    push_many(0, 4, 10);
    for (const unsigned slot : {0U, 1U, 3U})
        EXPECT_EQ(take_all(slot).size(), 3U) << slot;
    enter(2);
    EXPECT_EQ(take_all(2).size(), 1U);
}

TEST_F(xqueue_scheduler, leaves_one_item_at_each_vacant_slot_while_a_worker_is_idle) {
    start(settings(xqueue_stealing::none, 3), 3);
    leave(1);
    leave(2);
    idle_.members().begin_search();
    push_many(0, 0, 6);
    EXPECT_TRUE(team_->has_visible_work());
    EXPECT_EQ(take_all(0).size(), 4U);
    for (const unsigned slot : {1U, 2U}) {
        enter(slot);
        EXPECT_EQ(take_all(slot).size(), 1U) << slot;
    }
    idle_.members().end_search();
}

// Two producers leave one item there together, since a mark shows each of them that there is one.
TEST_F(xqueue_scheduler, marks_the_vacant_slots_with_items) {
    for (const xqueue_stealing kind : all_stealings) {
        start(settings(kind, 3), 3);
        leave(2);
        idle_.members().begin_search();
        push_many(0, 0, 3);
        push_many(1, 3, 6);
        EXPECT_EQ(take_all(0).size() + take_all(1).size(), 5U);
        EXPECT_TRUE(team_->has_visible_work());
        ASSERT_TRUE((*this)[1].steal());
        EXPECT_EQ(take_all(1).size(), 1U);
        EXPECT_FALSE(team_->has_visible_work());
        EXPECT_FALSE((*this)[1].steal());
        idle_.members().end_search();
    }
}

TEST_F(xqueue_scheduler, refuses_when_the_queue_in_turn_is_full) {
    start(settings(xqueue_stealing::none, 2), 2);
    int dealt = 0;
    while (push(0, dealt))
        ++dealt;
    EXPECT_EQ(dealt, 8);
    int refused = dealt;
    EXPECT_FALSE((*this)[0].push_slow(refused));
    (*this)[0].push_overflow(refused);
    EXPECT_EQ(take_all(0).size(), 5U);
    EXPECT_EQ(take_all(1).size(), 4U);
    (*this)[0].retire();
    EXPECT_TRUE(team_->finished());
}

TEST_F(xqueue_scheduler, looks_less_often_at_a_queue_that_was_full) {
    EXPECT_EQ(teff::scheduler_settings{}.xqueue_full_pause, teff::scheduler_settings{}.xqueue_capacity / 8);
    teff::scheduler_settings pausing = settings(xqueue_stealing::none, 1);
    pausing.xqueue_full_pause = 3;
    start(pausing, 1);
    push_many(0, 0, 4);
    EXPECT_FALSE(push(0, 4));
    EXPECT_EQ(take_all(0).size(), 4U);
    for (unsigned refused = 0; refused < pausing.xqueue_full_pause; ++refused)
        EXPECT_FALSE(push(0, 5));
    EXPECT_TRUE(push(0, 6));
    // While a worker is idle, every push looks at the queue.
    push_many(0, 7, 10);
    EXPECT_FALSE(push(0, 10));
    EXPECT_EQ(take(0), 6);
    idle_.members().begin_search();
    EXPECT_TRUE(push(0, 10));
    idle_.members().end_search();
}

TEST_F(xqueue_scheduler, without_a_pause_every_push_looks_at_the_queue) {
    start(settings(xqueue_stealing::none, 1), 1);
    push_many(0, 0, 4);
    EXPECT_FALSE(push(0, 4));
    EXPECT_EQ(take(0), 0);
    EXPECT_TRUE(push(0, 4));
}

// The other thread lets the member look for a while before it pushes. If it is slower than that, the member still has
// minutes of looks left.
TEST_F(xqueue_scheduler, a_dry_member_looks_as_often_as_the_option_says) {
    teff::scheduler_settings patient = settings(xqueue_stealing::none, 2);
    patient.dry_polls = 0;
    start(patient, 2);
    EXPECT_EQ(take(0), -1);
    patient.dry_polls = 1'000'000'000;
    start(patient, 2);
    std::thread other([this] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        // Two pushes, in turn, so that one of them goes to member 0.
        EXPECT_TRUE(push(1, 7));
        EXPECT_TRUE(push(1, 7));
    });
    EXPECT_EQ(take(0), 7);
    other.join();
    EXPECT_EQ(take(1), 7);
}

// The memory of a member's queues does not exist before that member joins (enter), and then consists of pages that no
// thread has touched (placement_test.cpp). So its member is the first that touches it.
TEST_F(xqueue_scheduler, queues_of_bound_members_share_no_page) {
    constexpr unsigned members = 4;
    teff::scheduler_settings bound = settings(xqueue_stealing::none, members);
    bound.binds_workers = true;
    start(bound, members);
    push_many(0, 0, members);
    std::set<std::uintptr_t> pages;
    for (unsigned slot = 0; slot < members; ++slot)
        run_one(slot, [&](const int& item) {
            const auto address = reinterpret_cast<std::uintptr_t>(&item);
            pages.insert(address / teff::local_pages::page_size());
            // The rings are at the beginning of the first page. Memory of malloc would be there only by chance.
            EXPECT_LT(address % teff::local_pages::page_size(), members * teff::false_sharing_range);
        });
    EXPECT_EQ(pages.size(), members);
    // A member that takes the slot over finds the same queues, and what waits there.
    push_many(0, 4, 8);
    leave(1);
    enter(1);
    EXPECT_EQ(take(1), 4);
}

TEST_F(xqueue_scheduler, first_items_go_to_idle_members) {
    start(settings(xqueue_stealing::none, 2), 1);
    for (int value : {1, 2, 3, 4})
        (*this)[0].push_first(value);
    EXPECT_TRUE(team_->has_visible_work());
    EXPECT_EQ(take(0), 1);
    enter(1);
    ASSERT_TRUE((*this)[1].steal());
    EXPECT_EQ(take(1), 2);
    EXPECT_EQ(take_all(0), (std::vector<int>{3, 4}));
    EXPECT_FALSE(team_->has_visible_work());
    EXPECT_FALSE(team_->finished());
    (*this)[0].retire();
    EXPECT_TRUE(team_->finished());
}

TEST_F(xqueue_scheduler, drops_first_items_of_a_team_that_was_stopped) {
    start(settings(xqueue_stealing::none, 1), 1);
    for (int value : {1, 2})
        (*this)[0].push_first(value);
    team_->cancel();
    EXPECT_EQ((*this)[0].refill(), nullptr);
    (*this)[0].retire();
    EXPECT_TRUE(team_->finished());
}

TEST_F(xqueue_scheduler, alone_it_deals_to_itself) {
    start(settings(xqueue_stealing::no_wait, 4), 1);
    push_many(0, 0, 4);
    EXPECT_EQ(take_all(0), (std::vector<int>{0, 1, 2, 3}));
}

TEST_F(xqueue_scheduler, static_gives_nothing_on_request) {
    start_with_items(xqueue_stealing::none, 2, 4);
    EXPECT_FALSE(steal(1));
    EXPECT_EQ(take_all(0).size(), 4U);
    EXPECT_FALSE(steal(1));
}

TEST_F(xqueue_scheduler, nowait_answers_with_a_claim) {
    start_with_items(xqueue_stealing::no_wait, 2, 4);
    EXPECT_FALSE(steal(1));
    EXPECT_EQ(take(0), 0);
    EXPECT_TRUE((*this)[1].steal());
    EXPECT_EQ(take_all(1), (std::vector<int>{1}));
    EXPECT_EQ(take_all(0), (std::vector<int>{2, 3}));
}

TEST_F(xqueue_scheduler, nowait_answers_with_a_push) {
    start(settings(xqueue_stealing::no_wait, 4), 4);
    // After this push slot 2 is next in turn.
    push_many(0, 0, 1);
    EXPECT_EQ(take(1), 0);
    EXPECT_FALSE(steal(3));
    push_many(0, 1, 3);
    EXPECT_EQ(take_all(3), (std::vector<int>{1})) << "who asks comes first";
    EXPECT_EQ(take_all(2), (std::vector<int>{2})) << "and then whose turn it is";
}

TEST_F(xqueue_scheduler, nowait2_gives_two) {
    start_with_items(xqueue_stealing::no_wait_two, 2, 4);
    EXPECT_FALSE(steal(1));
    EXPECT_EQ(take(0), 0);
    EXPECT_TRUE((*this)[1].steal());
    EXPECT_EQ(take_all(1), (std::vector<int>{1, 2}));
    EXPECT_FALSE(steal(1));
    // Items given by pushes and by claims count together.
    push_many(0, 4, 5);
    push_many(0, 5, 6);
    EXPECT_EQ(take_all(1), (std::vector<int>{4, 5}));
    EXPECT_EQ(take_all(0), (std::vector<int>{3}));
}

TEST_F(xqueue_scheduler, wait_hands_over_one_and_keeps_one) {
    start_with_items(xqueue_stealing::wait, 2, 3);
    EXPECT_FALSE(steal(1));
    // A push is no answer; its item goes to the slot in turn.
    push_many(0, 3, 5);
    EXPECT_EQ(take_all(1).size(), 1U);
    EXPECT_EQ(take(0), 0);
    EXPECT_TRUE((*this)[1].steal());
    EXPECT_EQ(take_all(1), (std::vector<int>{1}));
    EXPECT_EQ(take(0), 2);
    EXPECT_FALSE(steal(1));
    EXPECT_NE(take(0), -1) << "the last item is not given away";
    EXPECT_FALSE(steal(1));
}

TEST_F(xqueue_scheduler, a_dry_member_declines) {
    for (const xqueue_stealing kind : {xqueue_stealing::wait, xqueue_stealing::no_wait}) {
        start(settings(kind, 2), 0);
        enter(0);
        enter(1);
        EXPECT_FALSE(steal(1));
        EXPECT_EQ(take(0), -1);
        EXPECT_FALSE(steal(0));
        // Both are closed now: items that are pushed go to the slots in turn. A member that has found one accepts
        // requests again.
        push_many(0, 0, 4);
        EXPECT_TRUE((*this)[0].steal());
        EXPECT_EQ(take_all(1).size(), 2U);
        EXPECT_FALSE(steal(1));
        EXPECT_NE(take(0), -1);
        EXPECT_EQ((*this)[1].steal(), true);
        EXPECT_EQ(take_all(1).size(), 1U);
    }
}

TEST_F(xqueue_scheduler, asks_the_last_successful_victim_first) {
    for (const xqueue_stealing kind : {xqueue_stealing::wait, xqueue_stealing::no_wait}) {
        constexpr unsigned members = 16;
        teff::scheduler_settings many = settings(kind, members);
        many.xqueue_capacity = 1024;
        start(many, 1);
        push_many(0, 0, 1000);
        for (unsigned slot = 1; slot < members; ++slot)
            enter(slot);
        // The random choice has to hit the only member that has items; the others decline.
        bool found = false;
        for (int tries = 0; tries < 500 && !found; ++tries) {
            found = (*this)[1].steal();
            for (unsigned slot = 0; slot < members; ++slot)
                EXPECT_EQ(slot == 1 || take(slot) == -1, slot != 0);
        }
        ASSERT_TRUE(found);
        ASSERT_NE(take(1), -1);
        for (int again = 0; again < 10; ++again) {
            EXPECT_FALSE((*this)[1].steal());
            ASSERT_NE(take(0), -1);
            EXPECT_TRUE((*this)[1].steal()) << "the request went somewhere else";
            ASSERT_NE(take(1), -1);
        }
    }
}

TEST_F(xqueue_scheduler, what_reaches_a_slot_late_is_found) {
    for (const xqueue_stealing kind : all_stealings) {
        start(settings(kind, 2), 0);
        enter(0);
        enter(1);
        push_many(0, 0, 2);
        leave(1);
        EXPECT_TRUE(team_->has_visible_work());
        EXPECT_EQ(take_all(0).size(), 1U);
        (*this)[0].retire();
        EXPECT_FALSE(team_->finished());
        EXPECT_TRUE((*this)[0].steal());
        EXPECT_FALSE(team_->has_visible_work());
        EXPECT_EQ(take_all(0).size(), 1U);
        (*this)[0].retire();
        EXPECT_TRUE(team_->finished());
    }
}

TEST_F(xqueue_scheduler, an_answer_for_a_thief_that_has_left_is_found) {
    for (const xqueue_stealing kind : {xqueue_stealing::wait, xqueue_stealing::no_wait}) {
        start(settings(kind, 3), 0);
        enter(0);
        push_many(0, 0, 3);
        enter(1);
        EXPECT_FALSE(steal(1));
        leave(1);
        EXPECT_EQ(take(0), 0);
        EXPECT_TRUE(team_->has_visible_work());
        enter(2);
        EXPECT_TRUE((*this)[2].steal());
        EXPECT_EQ(take_all(2), (std::vector<int>{1}));
        // The next member of the thief's slot may ask again.
        enter(1);
        EXPECT_FALSE(steal(1));
        push_many(0, 3, 5);
        take(0);
        EXPECT_TRUE((*this)[1].steal());
    }
}

// The victim has left with a request pending. The thief declines for it and may then ask another victim.
TEST_F(xqueue_scheduler, a_victim_that_has_left_blocks_no_thief) {
    start(settings(xqueue_stealing::wait, 3), 2);
    EXPECT_FALSE(steal(0));
    leave(1);
    enter(2);
    push_many(2, 0, 4);
    EXPECT_EQ(take_all(0).size(), 2U);
    EXPECT_FALSE(steal(0));
    EXPECT_NE(take(2), -1);
    EXPECT_TRUE((*this)[0].steal());
}

// The next member of the victim's slot accepts requests once it has found an item.
TEST_F(xqueue_scheduler, a_victim_that_returns_is_asked) {
    start(settings(xqueue_stealing::wait, 2), 2);
    EXPECT_FALSE(steal(0));
    leave(1);
    EXPECT_FALSE((*this)[0].steal());
    enter(1);
    push_many(0, 0, 8);
    EXPECT_TRUE((*this)[1].steal());
    EXPECT_EQ(take_all(0).size(), 4U);
    EXPECT_FALSE(steal(0));
    EXPECT_NE(take(1), -1);
    EXPECT_TRUE((*this)[0].steal());
    EXPECT_NE(take(0), -1);
}

TEST_F(xqueue_scheduler, wakes_a_sleeping_caller_for_items_dealt_to_it) {
    start(settings(xqueue_stealing::none, 2), 2);
    teff::event_count& members = idle_.members();
    members.begin_search();
    const std::uint32_t ticket = members.prepare_sleep();
    push_many(1, 0, 2);
    EXPECT_TRUE(team_->has_work_for(0));
    EXPECT_TRUE(members.sleep(ticket, no_time_ns));
    members.end_search();
}

// The caller sleeps while a request that arrived after its last close() is pending. The thief must wake it, because
// it can ask no other victim until the round is over.
TEST_F(xqueue_scheduler, calls_a_caller_that_sleeps_over_a_request) {
    start(settings(xqueue_stealing::wait, 2), 2);
    EXPECT_FALSE(steal(1));
    teff::event_count& members = idle_.members();
    members.begin_search();
    const std::uint32_t ticket = members.prepare_sleep();
    EXPECT_FALSE((*this)[1].steal());
    EXPECT_TRUE(members.sleep(ticket, no_time_ns));
    members.end_search();
}

TEST_F(xqueue_scheduler, does_not_advertise_after_the_end) {
    start(settings(xqueue_stealing::no_wait, 2), 1);
    idle_.members().begin_search();
    idle_.members().prepare_sleep();
    push_many(0, 0, 1);
    EXPECT_TRUE(team_->has_visible_work());
    EXPECT_EQ(take_all(0).size(), 1U);
    EXPECT_FALSE(team_->has_found_end());
    (*this)[0].retire();
    EXPECT_TRUE(team_->finished());
    EXPECT_TRUE(team_->has_found_end());
    EXPECT_FALSE(team_->has_visible_work());
    idle_.members().cancel_sleep();
    idle_.members().end_search();
}

TEST_F(xqueue_scheduler, does_not_advertise_while_a_member_searches) {
    start(settings(xqueue_stealing::none, 2), 1);
    idle_.members().begin_search();
    push_many(0, 0, 1);
    EXPECT_FALSE(team_->has_visible_work());
    idle_.members().prepare_sleep();
    push_many(0, 1, 2);
    EXPECT_TRUE(team_->has_visible_work());
    idle_.members().cancel_sleep();
    idle_.members().end_search();
    take_all(0);
}

TEST_F(xqueue_scheduler, many_slots_reach_each_other_in_steps) {
    teff::scheduler_settings many = settings(xqueue_stealing::none, 4096);
    many.xqueue_memory = 1U << 20;
    start(many, 5);
    push_many(0, 0, 4);
    EXPECT_EQ(take_all(0).size() + take_all(1).size(), 4U) << "slot 0 deals to itself and its neighbours";
    push_many(1, 0, 6);
    EXPECT_EQ(take_all(2).size(), 2U);
    // The last worker and the first are neighbours in the ring.
    enter(4095);
    push_many(0, 0, 3);
    EXPECT_EQ(take_all(4095).size(), 1U);
    EXPECT_EQ(take_all(0).size() + take_all(1).size(), 6U);
    (*this)[0].retire();
    EXPECT_TRUE(team_->finished());
}

// Something else happens while the item is on its way into a queue.
struct interrupted {
    explicit interrupted(int given) noexcept : value(given) {}
    interrupted(interrupted&& other) noexcept : value(other.value) {
        if (on_move)
            std::exchange(on_move, nullptr)();
    }
    int value;
    static inline std::function<void()> on_move;
};

class xqueue_with_interruptions : public testing::Test, protected driven<interrupted> {};

// The member that is next in turn leaves before the item is in its queue, so the producer has to mark it: at its next
// push, or when it runs dry.
TEST_F(xqueue_with_interruptions, what_comes_after_a_member_has_left_is_marked) {
    for (const bool runs_dry : {true, false}) {
        start({.slots = 3, .stealing = xqueue_stealing::none, .xqueue_capacity = 4}, 3);
        interrupted::on_move = [this] { leave(1); };
        // In turn: the slots 1, 2 and 0.
        EXPECT_TRUE(push(0, interrupted(1)));
        EXPECT_TRUE(interrupted::on_move == nullptr);
        EXPECT_FALSE(team_->has_visible_work()) << "the member's own look came too early";
        if (runs_dry)
            (*this)[0].retire();
        else
            EXPECT_TRUE(push(0, interrupted(2)));
        EXPECT_TRUE(team_->has_visible_work());
        ASSERT_TRUE((*this)[2].steal());
        int found = 0;
        while (run_one(2, [&](const interrupted& item) { found += item.value == 1 ? 1 : 0; })) {
        }
        EXPECT_EQ(found, 1);
    }
}

// Every move throws while `fails` is set.
struct stubborn {
    static inline bool fails = false;
    static inline int alive = 0;
    stubborn() { ++alive; }
    stubborn(stubborn&&) {
        if (fails)
            throw std::runtime_error("it does not move");
        ++alive;
    }
    stubborn& operator=(stubborn&&) = delete;
    ~stubborn() { --alive; }
};

TEST(xqueue_scheduler_stop, drops_what_cannot_be_moved) {
    for (const xqueue_stealing kind : all_stealings) {
        {
            driven<stubborn> team;
            team.start({.slots = 3, .stealing = kind, .xqueue_capacity = 4, .min_tries = 1, .max_tries = 1}, 3);
            for (int i = 0; i < 6; ++i)
                ASSERT_TRUE(team.push(0, stubborn()));
            while (team.run_one(2, [](stubborn&) {})) {
            }
            team.leave(1);
            stubborn::fails = true;
            EXPECT_THROW(team[2].steal(), std::runtime_error) << "what came late is not moved";
            team.team_->cancel();
            EXPECT_EQ(team[0].refill(), nullptr);
            team[0].retire();
            EXPECT_FALSE(team.team_->finished());
            EXPECT_FALSE(team[2].steal());
            EXPECT_TRUE(team.team_->finished());
            stubborn::fails = false;
        }
        EXPECT_EQ(stubborn::alive, 0);
    }
}

// A worker takes the only item, whose move throws, and leaves; the caller has run dry before.
TEST(xqueue_scheduler_stop, counts_a_first_item_that_is_lost) {
    {
        driven<stubborn> team;
        team.start({.slots = 2, .xqueue_capacity = 4}, 2);
        stubborn item;
        team[0].push_first(item);
        team[0].retire();
        stubborn::fails = true;
        EXPECT_THROW(team[1].steal(), std::runtime_error);
        team.leave(1);
        EXPECT_TRUE(team.team_->finished());
        stubborn::fails = false;
    }
    EXPECT_EQ(stubborn::alive, 0);
}

// The table in docs/schedulers.md, from the sizes in the sources.
template <std::size_t ItemBytes>
std::string row_of_table() {
    using item = std::array<std::uint64_t, ItemBytes / sizeof(std::uint64_t)>;
    const teff::scheduler_settings usual;
    const std::size_t bytes = teff::xqueue<item>::bytes_per_queue(usual.xqueue_capacity);
    const auto reach_of = [&](unsigned workers) {
        return teff::xqueue_ring(workers, bytes, usual.xqueue_memory).reach();
    };
    unsigned most = 1;
    while (reach_of(most + 1) == most + 1)
        ++most;
    constexpr unsigned many = 192;
    const std::size_t mib = (bytes * many * many + (1U << 20) - 1) >> 20;
    std::ostringstream row;
    row << "| " << ItemBytes << " | " << bytes << " | " << most << " | " << reach_of(many) << " | " << mib << " |\n";
    return row.str();
}

TEST(xqueue_memory, the_documented_numbers_of_workers_are_those_of_the_sources) {
    const std::string wanted =
        row_of_table<8>() + row_of_table<16>() + row_of_table<64>() + row_of_table<256>() + row_of_table<624>();
    std::ifstream file(TEFF_SOURCE_DIR "/docs/schedulers.md");
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_NE(text.str().find(wanted), std::string::npos) << "docs/schedulers.md must have these lines:\n" << wanted;
}

}  // namespace
