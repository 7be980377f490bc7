// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Behaviour that is specific to each of the schedulers on task descriptors: when it refuses a task, to which member
// it gives a task, and which tasks a thief takes. The conformance suite of all schedulers is in tests/conformance.
//
// Unless a test says otherwise, one thread is all members, so the order of the steps is fixed.
#include <teff/machine/machine_topology.hpp>
#include <teff/scheduler/ompi.hpp>
#include <teff/scheduler/schedulers.hpp>
#include <teff/scheduler/task_scheduler_for.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct kind {
    const char* name;
    teff::task_scheduler_maker make;
    bool operator==(const kind&) const = default;
};
template <class Row>
constexpr kind kind_of{Row::traits().name, Row::make};

constexpr kind ompi = kind_of<teff::ompi>, fifo = kind_of<teff::fifo>, sherwood = kind_of<teff::sherwood>,
               nemesis = kind_of<teff::nemesis>, distrib = kind_of<teff::distrib>;
constexpr kind all_kinds[] = {ompi, fifo, sherwood, nemesis, distrib};

// Counts its instances that are alive.
class value {
public:
    explicit value(int number) noexcept : number_(number) { ++alive; }
    value(value&& other) noexcept : number_(other.number_) { ++alive; }
    ~value() { --alive; }
    value& operator=(value&&) = delete;
    int number() const noexcept { return number_; }

    static inline std::atomic<int> alive{0};

private:
    int number_;
};

class task_schedulers : public testing::Test {
protected:
    using scheduler = teff::task_scheduler_for<value>;
    using numbers = std::vector<int>;

    void start(kind tried, teff::scheduler_settings settings) {
        team_.reset();
        settings.make = tried.make;
        members_.assign(settings.slots, std::nullopt);
        team_.emplace(settings, idle_);
    }
    void TearDown() override {
        team_.reset();
        EXPECT_EQ(value::alive, 0);
    }

    void enter(unsigned slot, unsigned worker) { members_[slot].emplace(team_->enter(slot, worker)); }
    void enter(unsigned slot) { enter(slot, slot); }
    void leave(unsigned slot) {
        team_->leave(*members_[slot]);
        members_[slot].reset();
    }
    bool push(unsigned slot, int number) { return members_[slot]->try_push(value(number)); }
    void push_all(unsigned slot, int from, int to) {
        for (int number = from; number < to; ++number)
            ASSERT_TRUE(push(slot, number)) << number;
    }
    // How many of `most` pushes are accepted before one is refused.
    int push_until_refused(unsigned slot, int most) {
        int taken = 0;
        while (taken < most && push(slot, taken))
            ++taken;
        return taken;
    }
    // The number of the slot's next item, or -1.
    int take(unsigned slot) {
        value* const item = members_[slot]->claim();
        if (item == nullptr)
            return -1;
        const int number = item->number();
        members_[slot]->release(item);
        members_[slot]->ran_one();
        return number;
    }
    numbers take_all(unsigned slot) {
        numbers taken;
        for (int number; (number = take(slot)) >= 0;)
            taken.push_back(number);
        return taken;
    }
    bool steal(unsigned slot) { return members_[slot]->steal(); }

    teff::event_count outside_;
    teff::idle_tracker idle_{outside_, 0};
    std::optional<scheduler> team_;
    std::vector<std::optional<scheduler::local>> members_;
};

teff::scheduler_settings on_machine(const teff::topology& machine, unsigned slots) {
    return {.slots = slots, .machine = &machine};
}

std::unique_ptr<teff::topology> machine_of(int sockets, int cores) {
    auto machine = std::make_unique<teff::topology>();
    teff::read_synthetic(*machine, {.sockets = sockets, .cores = cores, .threads = 1});
    return machine;
}

TEST_F(task_schedulers, ompi_refuses_when_the_ring_is_full_until_30_percent_are_free) {
    for (const int size : {1, 2, 3, 10, 24, 100, 2000}) {
        SCOPED_TRACE(size);
        start(ompi, {.slots = 1, .ompi_queue_size = static_cast<std::size_t>(size)});
        enter(0);
        ASSERT_EQ(push_until_refused(0, size + 1), size);
        int free = 0;
        while (!push(0, -2)) {
            ++free;
            ASSERT_GE(take(0), 0);
        }
        EXPECT_EQ(free, std::max(1, (3 * size + 9) / 10));
        // The member is not throttled any more until the ring is full again.
        EXPECT_EQ(push_until_refused(0, size), free - 1);
    }
    EXPECT_EQ(teff::scheduler_settings{}.ompi_queue_size, 24U);
}

TEST(ompi, a_combiner_performs_at_most_so_many_dequeues_as_the_option_says) {
    EXPECT_EQ(teff::ompi_scheduler::combining_bound({.slots = 1}), 10U);
    EXPECT_EQ(teff::ompi_scheduler::combining_bound({.slots = 64}), 640U);
    EXPECT_EQ(teff::ompi_scheduler::combining_bound({.slots = 64, .ompi_combining_bound = 3}), 3U);
}

// Two members empty one ring concurrently, until one of them has taken an item for the other. Whether and when that
// happens depends on the interleaving. With a bound of 1 it never happens.
TEST_F(task_schedulers, ompi_counts_what_combiners_take_for_others) {
    constexpr int items = 1000;
    const auto combined = [this] {
        teff::slot_counts sum;
        for (const unsigned slot : {0U, 1U}) {
            sum.combining_rounds += members_[slot]->counted().combining_rounds;
            sum.combined += members_[slot]->counted().combined;
        }
        EXPECT_LE(sum.combining_rounds, sum.combined);
        return sum.combined;
    };
    const auto empty_together = [&] {
        push_all(0, 0, items);
        std::atomic<int> taken{0};
        std::thread thief([&] {
            while (taken < items)
                if (steal(1))
                    taken += take(1) >= 0 ? 1 : 0;
        });
        while (taken < items)
            taken += take(0) >= 0 ? 1 : 0;
        thief.join();
    };
    start(ompi, {.slots = 2, .ompi_queue_size = items, .ompi_combining_bound = 1});
    enter(0);
    enter(1);
    empty_together();
    EXPECT_EQ(combined(), 0U);
    start(ompi, {.slots = 2, .ompi_queue_size = items});
    enter(0);
    enter(1);
    for (int round = 0; round < 10'000 && combined() == 0; ++round)
        empty_together();
    if (combined() == 0)
        GTEST_SKIP() << "the two threads never met";
}

TEST_F(task_schedulers, ompi_takes_the_oldest_first_here_and_there) {
    start(ompi, {.slots = 2});
    enter(0);
    enter(1);
    push_all(0, 0, 6);
    EXPECT_EQ(take(0), 0);
    ASSERT_TRUE(steal(1));
    EXPECT_EQ(take_all(1), numbers{1});
    EXPECT_EQ(take_all(0), (numbers{2, 3, 4, 5}));
}

// One producer pushes a million items and two thieves take some of them. The pool needs only a few descriptors.
TEST_F(task_schedulers, ompi_needs_little_memory_for_many_items) {
    teff::scheduler_settings settings{.slots = 3, .make = ompi.make};
    teff::task_scheduler* const core = settings.make(settings, idle_, sizeof(int), alignof(int));
    for (const unsigned slot : {0U, 1U, 2U})
        ASSERT_TRUE(core->enter(slot, slot));
    std::size_t most = 0;
    int ran = 0;
    const auto run_some = [&](unsigned slot, int count) {
        for (; count > 0 && (slot == 0 || core->steal(slot)); --count) {
            teff::task_header* const task = core->claim(slot);
            if (task == nullptr)
                return;
            core->release(slot, static_cast<teff::task_descriptor&>(*task));
            core->ran_one(slot);
            ++ran;
        }
    };
    constexpr int items = 1'000'000;
    for (int number = 0; number < items; ++number) {
        teff::task_descriptor* const made = core->make(0);
        if (made == nullptr) {
            ++ran;
        } else {
            most = std::max(most, made->owner->size());
            core->push(0, *made);
        }
        if (number % 32 == 0) {
            run_some(1, number % 5);
            run_some(2, number % 7);
            run_some(0, number % 11);
        }
    }
    run_some(0, items);
    EXPECT_EQ(ran, items);
    EXPECT_LT(most, 4 * settings.ompi_queue_size);
    for (const unsigned slot : {0U, 1U, 2U})
        core->leave(slot);
    delete core;
}

TEST_F(task_schedulers, nemesis_deals_in_turn_to_joined_members) {
    start(nemesis, {.slots = 4});
    for (const unsigned slot : {0U, 1U, 3U})
        enter(slot);
    push_all(0, 0, 9);
    std::vector<numbers> taken;
    for (const unsigned slot : {0U, 1U, 3U})
        taken.push_back(take_all(slot));
    std::sort(taken.begin(), taken.end());
    EXPECT_EQ(taken, (std::vector<numbers>{{0, 3, 6}, {1, 4, 7}, {2, 5, 8}}));
    leave(1);
    enter(2);
    push_all(3, 0, 3);
    for (const unsigned slot : {0U, 2U, 3U})
        EXPECT_EQ(take_all(slot).size(), 1U) << slot;
}

TEST_F(task_schedulers, nemesis_deals_to_expected_members) {
    idle_.members().begin_search();
    start(nemesis, {.slots = 4});
    enter(0);
    push_all(0, 0, 6);
    EXPECT_TRUE(team_->has_visible_work());
    EXPECT_EQ(take_all(0).size(), 3U);
    enter(1);
    idle_.members().end_search();
    EXPECT_EQ(take_all(1).size(), 3U);
}

TEST_F(task_schedulers, nemesis_takes_from_no_joined_member) {
    start(nemesis, {.slots = 3});
    for (const unsigned slot : {0U, 1U, 2U})
        enter(slot);
    push_all(0, 0, 6);
    EXPECT_EQ(take_all(2).size(), 2U);
    EXPECT_FALSE(steal(2));
    EXPECT_FALSE(team_->has_visible_work());
    EXPECT_TRUE(team_->has_work_for(1));
    EXPECT_FALSE(team_->has_work_for(2));
    // Any member may take the items of a slot whose member has left.
    leave(1);
    EXPECT_TRUE(team_->has_visible_work());
    numbers found;
    while (steal(2))
        found.push_back(take(2));
    EXPECT_EQ(found.size(), 2U);
    EXPECT_EQ(take_all(0).size(), 2U);
}

TEST_F(task_schedulers, fifo_deals_to_every_worker) {
    const auto machine = machine_of(1, 4);
    start(fifo, on_machine(*machine, 4));
    for (const unsigned slot : {0U, 1U, 2U})
        enter(slot, 3 - slot);
    push_all(0, 0, 7);
    EXPECT_EQ(take_all(0), (numbers{2, 5}));
    EXPECT_EQ(take_all(1), (numbers{0, 3, 6}));
    EXPECT_FALSE(steal(1));
    EXPECT_EQ(take_all(2), (numbers{1, 4}));
}

// At the start only one member may have joined. If the scheduler dealt to joined members alone, that one would get all
// of the first tasks.
TEST_F(task_schedulers, fifo_also_deals_to_workers_that_will_probably_join) {
    idle_.members().begin_search();
    start(fifo, {.slots = 4});
    enter(0);
    push_all(0, 0, 6);
    EXPECT_TRUE(team_->has_visible_work());
    enter(1);
    EXPECT_EQ(take_all(1), (numbers{0, 2, 4}));
    idle_.members().end_search();
    push_all(0, 6, 10);
    EXPECT_EQ(take_all(0), (numbers{1, 3, 5, 7, 9}));
    EXPECT_EQ(take_all(1), (numbers{6, 8}));
}

TEST_F(task_schedulers, fifo_deals_to_the_shepherds_of_the_numa_domains) {
    const auto machine = machine_of(2, 2);
    teff::scheduler_settings settings = on_machine(*machine, 4);
    settings.shepherds = settings.shepherd_per_numa;
    start(fifo, settings);
    for (const unsigned slot : {0U, 1U, 2U, 3U})
        enter(slot);
    push_all(0, 0, 8);
    // Workers 0 and 1 are in one domain, 2 and 3 in the other, and a domain's queue is first in, first out.
    EXPECT_EQ(take(2), 0);
    EXPECT_EQ(take(0), 1);
    EXPECT_EQ(take(3), 2);
    EXPECT_EQ(take_all(2), (numbers{4, 6}));
    EXPECT_FALSE(steal(2));
    EXPECT_FALSE(team_->has_visible_work());
    EXPECT_EQ(take_all(1), (numbers{3, 5, 7}));
}

TEST_F(task_schedulers, fifo_deals_to_shepherds_that_have_members) {
    const auto machine = machine_of(8, 1);
    teff::scheduler_settings settings = on_machine(*machine, 8);
    settings.shepherds = settings.shepherd_per_numa;
    start(fifo, settings);
    enter(0, 0);
    enter(1, 5);
    enter(2, 7);
    push_all(1, 0, 6);
    EXPECT_EQ(take_all(2), (numbers{0, 3}));
    EXPECT_EQ(take_all(0), (numbers{1, 4}));
    // Any member may take the tasks of a shepherd whose last member has left; the shepherd gets no more tasks.
    leave(1);
    EXPECT_TRUE(team_->has_visible_work());
    push_all(0, 6, 8);
    numbers found;
    while (steal(2))
        found.push_back(take(2));
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, (numbers{2, 5, 6}));
    EXPECT_EQ(take_all(0), numbers{7});
}

TEST_F(task_schedulers, shepherds_are_as_many_as_the_option_says) {
    const auto machine = machine_of(2, 4);
    for (const int wanted : {1, 2, 3, 4, 100}) {
        SCOPED_TRACE(wanted);
        teff::scheduler_settings settings = on_machine(*machine, 4);
        settings.shepherds = wanted;
        start(fifo, settings);
        for (const unsigned slot : {0U, 1U, 2U, 3U})
            enter(slot);
        push_all(0, 0, 12);
        // Workers are dealt to the shepherds in turn; the first worker of a shepherd empties its queue.
        int queues = 0;
        for (const unsigned slot : {0U, 1U, 2U, 3U})
            queues += take_all(slot).empty() ? 0 : 1;
        EXPECT_EQ(queues, std::min(wanted, 4));
    }
    start(fifo, {.slots = 3, .shepherds = teff::scheduler_settings::shepherd_per_numa});
    enter(0);
    enter(1);
    push_all(1, 0, 4);
    EXPECT_EQ(take_all(0).size(), 4U) << "without a machine everybody shares one queue";
}

// While a shepherd has fewer members than slots, its tasks count as visible work. Otherwise the first worker that takes
// a task there would not wake another worker for the rest.
TEST_F(task_schedulers, fifo_shows_the_tasks_of_a_shepherd_that_misses_members) {
    start(fifo, {.slots = 4, .shepherds = 1});
    enter(0);
    push_all(0, 0, 4);
    for (const unsigned slot : {1U, 2U}) {
        enter(slot);
        EXPECT_EQ(take(slot), static_cast<int>(slot) - 1);
        EXPECT_TRUE(team_->has_visible_work());
    }
    enter(3);
    EXPECT_FALSE(team_->has_visible_work());
    EXPECT_EQ(take(3), 2);
    EXPECT_EQ(take(0), 3);
}

TEST_F(task_schedulers, sherwood_shares_a_last_in_first_out_queue) {
    start(sherwood, {.slots = 4, .shepherds = 2});
    enter(0);
    enter(2);
    push_all(0, 0, 4);
    EXPECT_EQ(take(2), 3);
    EXPECT_EQ(take(0), 2);
    push_all(2, 4, 5);
    EXPECT_EQ(take_all(0), (numbers{4, 1, 0}));
    EXPECT_FALSE(steal(2));
}

TEST_F(task_schedulers, sherwood_steals_as_many_as_its_shepherd_has_members) {
    start(sherwood, {.slots = 6, .shepherds = 2});
    for (const unsigned slot : {0U, 1U, 2U})
        enter(slot);
    push_all(1, 0, 10);
    ASSERT_TRUE(steal(0));
    // The thief runs the oldest task; the other stolen task is in its shepherd's queue.
    EXPECT_EQ(take(2), 1);
    EXPECT_EQ(take_all(0), numbers{0});
    enter(4);
    ASSERT_TRUE(steal(4));
    EXPECT_EQ(take_all(4), (numbers{2, 4, 3}));
    leave(0);
    leave(2);
    ASSERT_TRUE(steal(4));
    EXPECT_EQ(take_all(4), numbers{5});
    EXPECT_EQ(take_all(1), (numbers{9, 8, 7, 6}));
}

TEST_F(task_schedulers, sherwood_steals_as_many_as_the_option_says) {
    for (const unsigned wanted : {1U, 5U, 100U}) {
        SCOPED_TRACE(wanted);
        start(sherwood, {.slots = 2, .shepherds = 2, .sherwood_steal = wanted});
        enter(0);
        enter(1);
        push_all(0, 0, 10);
        ASSERT_TRUE(steal(1));
        EXPECT_EQ(take_all(1).size(), std::min(wanted, 10U));
    }
}

TEST_F(task_schedulers, sherwood_examines_the_other_shepherds_in_turn) {
    const auto machine = machine_of(8, 1);
    start(sherwood, on_machine(*machine, 8));
    for (unsigned slot = 0; slot < 8; ++slot)
        enter(slot);
    for (const unsigned slot : {2U, 6U, 7U})
        push_all(slot, static_cast<int>(slot), static_cast<int>(slot) + 1);
    numbers found;
    while (steal(4))
        found.push_back(take(4));
    EXPECT_EQ(found, (numbers{6, 7, 2}));
}

TEST_F(task_schedulers, sherwood_has_a_shepherd_per_numa_domain) {
    auto machine = std::make_unique<teff::topology>();
    teff::read_synthetic(*machine, {.sockets = 1, .cores = 4, .threads = 1, .numa = 2});
    start(sherwood, on_machine(*machine, 4));
    for (const unsigned slot : {0U, 1U, 2U, 3U})
        enter(slot);
    push_all(0, 0, 4);
    EXPECT_EQ(take(1), 3);
    EXPECT_EQ(take(2), -1);
    ASSERT_TRUE(steal(2));
    EXPECT_EQ(take(3), 1);
}

TEST_F(task_schedulers, distrib_deals_in_turn_and_runs_the_newest_first) {
    start(distrib, {.slots = 3});
    for (const unsigned slot : {0U, 1U, 2U})
        enter(slot);
    push_all(1, 0, 6);
    EXPECT_EQ(take_all(0).size(), 2U);
    const numbers own = take_all(1);
    ASSERT_EQ(own.size(), 2U);
    EXPECT_EQ(own[0], own[1] + 3);
    EXPECT_EQ(take_all(2).size(), 2U);
}

// A member whose own queue becomes empty looks at the others once, and then only once in distrib_steal_ratio looks.
TEST_F(task_schedulers, distrib_looks_at_itself_more_often_than_at_others) {
    for (const unsigned ratio : {1U, 2U, 8U}) {
        SCOPED_TRACE(ratio);
        start(distrib, {.slots = 2, .distrib_steal_ratio = ratio});
        enter(0);
        enter(1);
        EXPECT_FALSE(steal(1));
        // The first task is dealt to member 1, from which member 0 steals it back. The second is dealt to member 0.
        EXPECT_TRUE(push(0, 0));
        ASSERT_TRUE(steal(0));
        EXPECT_EQ(take(0), 0);
        EXPECT_TRUE(push(0, 1));
        unsigned looks = 1;
        while (!steal(1))
            ++looks;
        EXPECT_EQ(looks, ratio);
        EXPECT_EQ(take(1), 1);
        // A theft begins a new round of looks, and so does a task from the member's own queue.
        push_all(0, 2, 6);
        EXPECT_EQ(take_all(1), (numbers{4, 2}));
        ASSERT_TRUE(steal(1));
        EXPECT_EQ(take_all(1), numbers{3}) << "more than the oldest";
        ASSERT_TRUE(steal(1));
        EXPECT_EQ(take_all(1), numbers{5});
    }
}

TEST_F(task_schedulers, distrib_tries_all_victims_in_one_look) {
    start(distrib, {.slots = 5, .distrib_steal_ratio = 100});
    for (unsigned slot = 0; slot < 5; ++slot)
        enter(slot);
    push_all(0, 0, 5);
    numbers found = take_all(1);
    for (int others = 0; others < 4; ++others) {
        ASSERT_TRUE(steal(1));
        const numbers one = take_all(1);
        EXPECT_EQ(one.size(), 1U);
        found.insert(found.end(), one.begin(), one.end());
    }
    EXPECT_FALSE(steal(1));
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, (numbers{0, 1, 2, 3, 4}));
}

TEST_F(task_schedulers, a_bound_on_queued_tasks_is_kept) {
    for (const kind& tried : all_kinds) {
        SCOPED_TRACE(tried.name);
        start(tried, {.slots = 2, .max_queued = 5, .ompi_queue_size = 100, .shepherds = 1, .distrib_steal_ratio = 1});
        enter(0);
        EXPECT_EQ(push_until_refused(0, 10), 5);
        EXPECT_GE(take(0), 0);
        EXPECT_EQ(push_until_refused(0, 10), 1);
        // Tasks that another member has run make room, too.
        enter(1);
        leave(0);
        ASSERT_TRUE(steal(1));
        EXPECT_GE(take(1), 0);
        enter(0);
        EXPECT_EQ(push_until_refused(0, 10), 1);
        EXPECT_EQ(take_all(0).size() + take_all(1).size(), 5U);
    }
}

TEST_F(task_schedulers, queues_without_a_bound_have_a_limit_of_tasks) {
    for (const kind& tried : all_kinds) {
        SCOPED_TRACE(tried.name);
        start(tried, {.slots = 1, .ompi_queue_size = 500, .task_limit = 300});
        enter(0);
        EXPECT_EQ(push_until_refused(0, 1000), tried == ompi ? 500 : 300);
        start(tried, {.slots = 1, .max_queued = 20, .ompi_queue_size = 500, .task_limit = 300});
        enter(0);
        EXPECT_EQ(push_until_refused(0, 1000), 20);
        start(tried, {.slots = 1, .ompi_queue_size = 500, .task_limit = 0});
        enter(0);
        EXPECT_EQ(push_until_refused(0, 5000), tried == ompi ? 500 : 5000);
    }
}

// If the limit refused all pushes, a member that joins late would get no task until the pushing member has run one.
TEST_F(task_schedulers, a_member_at_its_limit_still_deals_to_an_idle_one) {
    for (const kind& tried : {nemesis, fifo}) {
        SCOPED_TRACE(tried.name);
        start(tried, {.slots = 2, .task_limit = 30, .shepherds = 2});
        enter(0);
        EXPECT_EQ(push_until_refused(0, 100), 30);
        enter(1);
        EXPECT_FALSE(push(0, 100)) << "nobody is idle";
        idle_.members().begin_search();
        EXPECT_LE(push_until_refused(0, 100), 2);
        EXPECT_TRUE(steal(1));
        idle_.members().end_search();
        EXPECT_NE(take(1), -1);
        EXPECT_EQ(take_all(1), numbers{});
    }
}

// Items are left at attended slots, at a slot whose member has left, and at a shepherd that has no members.
TEST_F(task_schedulers, items_that_are_left_are_destroyed) {
    for (const kind& tried : all_kinds) {
        SCOPED_TRACE(tried.name);
        start(tried, {.slots = 4, .shepherds = 3});
        enter(3);
        enter(0);
        enter(1);
        for (const unsigned slot : {0U, 1U, 3U})
            push_all(slot, 0, 10);
        members_[0]->push_overflow(*std::make_unique<value>(7));
        leave(1);
        enter(1, 0);
        leave(3);
        EXPECT_EQ(value::alive, 31);
        team_.reset();
        EXPECT_EQ(value::alive, 0);
    }
}

}  // namespace
