// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inboxes and seats of one thread: order, numbers of workers, and where a member sits. The model checker explores
// several threads; tests/conformance has fibers.
#include <teff/team/bound_tasks.hpp>

#include <teff/machine/machine_topology.hpp>

#include <gtest/gtest.h>

#include <array>
#include <memory>

namespace teff {
namespace {

scheduler_settings settings_of_shepherds(unsigned slots, int shepherds, const topology* machine = nullptr) {
    scheduler_settings made;
    made.slots = slots;
    made.shepherds = shepherds;
    made.machine = machine;
    return made;
}

class bound_tasks_test : public testing::Test {
protected:
    // Tasks 0, 1, ... are bound to these shepherds in turn.
    void bind(unsigned slots, int shepherds) {
        all_ = std::make_unique<bound_tasks>(shepherd_rule(settings_of_shepherds(slots, shepherds), 1), slots);
        for (unsigned i = 0; i < tasks_.size(); ++i)
            tasks_[i].priority = task_header::bound | i % all_->count();
    }
    void put(unsigned number) { all_->put(tasks_[number]); }
    int take(unsigned shepherd) { return number_of(all_->take(shepherd)); }
    int number_of(const task_header* taken) const {
        return taken == nullptr ? -1 : static_cast<int>(taken - tasks_.data());
    }

    std::array<task_header, 12> tasks_;
    std::unique_ptr<bound_tasks> all_;
};

TEST_F(bound_tasks_test, an_inbox_is_first_in_first_out) {
    bind(4, 2);
    EXPECT_FALSE(all_->any());
    for (const unsigned number : {0U, 2U, 1U, 4U})
        put(number);
    EXPECT_TRUE(all_->any() && all_->has(0) && all_->has(1));
    EXPECT_EQ(take(0), 0);
    EXPECT_EQ(take(1), 1);
    EXPECT_EQ(take(1), -1);
    EXPECT_EQ(take(0), 2);
    EXPECT_TRUE(all_->any());
    put(6);
    EXPECT_EQ(take(0), 4);
    EXPECT_EQ(take(0), 6);
    EXPECT_FALSE(all_->any() || all_->has(0));
}

TEST_F(bound_tasks_test, there_are_as_many_seats_as_workers) {
    bind(5, 2);
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(all_->try_sit(0));
    EXPECT_FALSE(all_->try_sit(0));
    EXPECT_TRUE(all_->try_sit(1));
    EXPECT_TRUE(all_->try_sit(1));
    EXPECT_FALSE(all_->try_sit(1));
    put(0);
    EXPECT_EQ(all_->find_unattended(0), bound_tasks::none);
    EXPECT_TRUE(all_->stand_up(0));
    EXPECT_EQ(all_->find_unattended(1), 0U);
    EXPECT_EQ(take(0), 0);
    EXPECT_FALSE(all_->stand_up(0));
}

TEST_F(bound_tasks_test, a_member_sits_at_home_and_moves_for_a_task) {
    bind(3, scheduler_settings::shepherd_per_worker);
    seat mine;
    mine.set_home(0);
    bool to_wake = false;
    EXPECT_EQ(number_of(mine.take(*all_)), -1);
    EXPECT_TRUE(mine.is_at(0) && !mine.is_away());
    EXPECT_FALSE(mine.has_tasks(*all_));
    put(2);
    put(5);
    EXPECT_TRUE(mine.has_tasks(*all_));
    EXPECT_EQ(number_of(mine.take_elsewhere(*all_, false, to_wake)), 2);
    EXPECT_TRUE(mine.is_at(2) && mine.is_away());
    EXPECT_FALSE(to_wake);
    EXPECT_EQ(mine.shepherd(), 2U);
    EXPECT_EQ(number_of(mine.take_one_more(*all_)), 5);
    EXPECT_FALSE(mine.give_up(*all_));
    EXPECT_EQ(mine.shepherd(), 0U);
    // With a task left at the place that it leaves, others have to be woken.
    put(3);
    EXPECT_EQ(number_of(mine.take(*all_)), 3);
    put(0);
    put(1);
    EXPECT_EQ(number_of(mine.take_elsewhere(*all_, false, to_wake)), 1);
    EXPECT_TRUE(to_wake);
    EXPECT_EQ(take(0), 0);
    EXPECT_FALSE(mine.give_up(*all_));
}

TEST_F(bound_tasks_test, a_member_does_not_move_to_a_shepherd_whose_seats_are_taken) {
    bind(2, scheduler_settings::shepherd_per_worker);
    ASSERT_TRUE(all_->try_sit(1));
    put(1);
    seat mine;
    mine.set_home(0);
    bool to_wake = false;
    EXPECT_FALSE(mine.has_tasks(*all_));
    EXPECT_EQ(number_of(mine.take_elsewhere(*all_, false, to_wake)), -1);
    EXPECT_EQ(number_of(mine.take(*all_)), -1);
    EXPECT_TRUE(mine.is_at(0));
    EXPECT_EQ(take(1), 1);
}

TEST_F(bound_tasks_test, a_member_stays_away_from_home_for_some_tasks_only) {
    bind(2, scheduler_settings::shepherd_per_worker);
    seat mine;
    mine.set_home(0);
    bool to_wake = false;
    put(1);
    EXPECT_EQ(number_of(mine.take_elsewhere(*all_, false, to_wake)), 1);
    unsigned in_a_row = 0;
    do
        put(1);
    while (number_of(mine.take_one_more(*all_)) == 1 && ++in_a_row < 100);
    EXPECT_LT(in_a_row, 100U);
    EXPECT_TRUE(mine.give_up(*all_));
}

TEST(shepherd_rule, workers_belong_to_shepherds_in_turn_or_by_domain) {
    topology machine;
    read_synthetic(machine, {.sockets = 1, .cores = 4, .threads = 1, .numa = 2});
    const shepherd_rule domains(settings_of_shepherds(3, scheduler_settings::shepherd_per_numa, &machine), 1);
    EXPECT_EQ(domains.count(), 2U);
    EXPECT_EQ(bound_tasks::workers_of(domains, 3, 0), 2U);
    EXPECT_EQ(bound_tasks::workers_of(domains, 3, 1), 1U);
    // No worker of a small team is in the second domain: any serves it.
    EXPECT_EQ(bound_tasks::workers_of(domains, 2, 1), 1U);
    bound_tasks for_two(domains, 2);
    EXPECT_TRUE(for_two.try_sit(1));
    EXPECT_FALSE(for_two.try_sit(1));

    const shepherd_rule in_turn(settings_of_shepherds(5, 2), 1);
    EXPECT_EQ(in_turn.of(0, 3), 1U);
    EXPECT_EQ(bound_tasks::workers_of(in_turn, 5, 0), 3U);
    const shepherd_rule usual(settings_of_shepherds(5, scheduler_settings::usual_shepherds), 1);
    EXPECT_EQ(usual.count(), 1U);
}

// Of another domain than the shepherd's, a member waits some times while other workers are idle.
TEST(seat, is_patient_with_the_workers_of_another_domain) {
    topology machine;
    read_synthetic(machine, {.sockets = 1, .cores = 2, .threads = 1, .numa = 2});
    bound_tasks all(shepherd_rule(settings_of_shepherds(2, scheduler_settings::shepherd_per_numa, &machine), 1), 2);
    task_header first, second;
    first.priority = second.priority = task_header::bound | 1;
    all.put(first);
    all.put(second);
    seat mine;
    mine.set_home(0);
    bool to_wake = false;
    EXPECT_EQ(mine.take_elsewhere(all, true, to_wake), nullptr);
    int waits = 1;
    while (mine.take_elsewhere(all, true, to_wake) == nullptr && waits < 1000)
        ++waits;
    EXPECT_LT(waits, 100);
    EXPECT_TRUE(mine.give_up(all));
    EXPECT_EQ(mine.take_elsewhere(all, false, to_wake), &second);
}

}  // namespace
}  // namespace teff
