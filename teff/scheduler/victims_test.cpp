// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order and number of the attempts of a thief, on synthetic machines.
#include <teff/scheduler/victims.hpp>

#include <teff/machine/machine_topology.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstddef>
#include <memory>
#include <set>
#include <vector>

namespace {

using teff::proximity;
using teff::scheduler_settings;

struct visit {
    unsigned slot, attempts;
};

// A thief in slot `self`. The worker in slot n has the number n.
class thief {
public:
    thief(const scheduler_settings& settings, unsigned self) : settings_(settings) {
        victims_.begin(settings_, self, self);
    }
    std::vector<visit> visit_victims(unsigned used, std::size_t visits_wanted = ~std::size_t{0}) {
        std::vector<visit> visits;
        stopped = victims_.try_each(
            used, [](unsigned slot) { return slot; },
            [&](unsigned slot, unsigned attempts) {
                visits.push_back({slot, attempts});
                return visits.size() == visits_wanted;
            });
        return visits;
    }
    unsigned adjust_attempts(std::size_t estimate, unsigned attempts) {
        return victims_.adjust_attempts(estimate, attempts);
    }
    teff::victims& victims() { return victims_; }

    bool stopped = false;

private:
    const scheduler_settings settings_;
    teff::victims victims_;
};

std::unique_ptr<teff::topology> machine_of(int sockets, int cores, int threads) {
    auto machine = std::make_unique<teff::topology>();
    teff::read_synthetic(*machine, {.sockets = sockets, .cores = cores, .threads = threads});
    return machine;
}

std::vector<unsigned> numbers_of(const std::vector<visit>& visits) {
    std::vector<unsigned> numbers;
    for (const visit& each : visits)
        numbers.push_back(each.slot);
    return numbers;
}

std::set<unsigned> slots_of(const std::vector<visit>& visits) {
    const std::vector<unsigned> numbers = numbers_of(visits);
    return {numbers.begin(), numbers.end()};
}

TEST(victims, every_other_slot_is_visited_once) {
    const auto machine = machine_of(8, 2, 2);
    for (const teff::topology* description : {static_cast<teff::topology*>(nullptr), machine.get()})
        for (unsigned used = 1; used <= 40; ++used) {
            thief self({.slots = 64, .machine = description}, used / 2);
            const auto visits = self.visit_victims(used);
            EXPECT_FALSE(self.stopped);
            EXPECT_EQ(visits.size(), used - 1);
            EXPECT_EQ(slots_of(visits).size(), used - 1);
            EXPECT_FALSE(slots_of(visits).contains(used / 2));
        }
}

TEST(victims, near_ones_come_first_and_get_more_attempts) {
    const auto machine = machine_of(8, 2, 2);
    for (const unsigned self_number : {0U, 5U, 31U}) {
        thief self({.slots = 32, .machine = machine.get()}, self_number);
        proximity last = proximity::same_core;
        for (const visit& each : self.visit_victims(32)) {
            const proximity distance = machine->of_workers(self_number, each.slot);
            EXPECT_GE(distance, last);
            last = distance;
            constexpr unsigned attempts[] = {6, 4, 2};
            EXPECT_EQ(each.attempts, attempts[static_cast<std::size_t>(distance)]);
        }
        EXPECT_EQ(last, proximity::other_socket);
    }
}

TEST(victims, the_attempts_are_settings) {
    const auto machine = machine_of(2, 2, 2);
    thief self({.slots = 8, .machine = machine.get(), .attempts_same_core = 1, .attempts_same_socket = 2,
                .attempts_other_socket = 3}, 0);
    for (const visit& each : self.visit_victims(8))
        EXPECT_EQ(each.attempts, 1 + static_cast<unsigned>(machine->of_workers(0, each.slot)));
}

TEST(victims, without_a_description_all_share_a_socket) {
    thief self({.slots = 8}, 0);
    for (const visit& each : self.visit_victims(8))
        EXPECT_EQ(each.attempts, 4U);
}

TEST(victims, a_round_ends_where_something_was_found) {
    thief self({.slots = 8}, 3);
    EXPECT_EQ(self.visit_victims(8, 2).size(), 2U);
    EXPECT_TRUE(self.stopped);
}

TEST(victims, rounds_start_at_different_slots) {
    thief self({.slots = 16}, 0);
    std::set<unsigned> first;
    for (int round = 0; round < 200; ++round)
        first.insert(self.visit_victims(16).front().slot);
    EXPECT_GT(first.size(), 10U);
}

TEST(victims, round_robin_visits_all_in_turn_wherever_they_are) {
    const auto machine = machine_of(4, 2, 1);
    for (const teff::topology* description : {static_cast<teff::topology*>(nullptr), machine.get()}) {
        thief self({.slots = 6, .machine = description, .visits_in_turn = true}, 2);
        EXPECT_EQ(numbers_of(self.visit_victims(6)), (std::vector<unsigned>{3, 4, 5, 0, 1}));
        EXPECT_FALSE(self.stopped);
        EXPECT_TRUE(self.visit_victims(1).size() == 1 && !self.stopped);
    }
}

TEST(victims, round_robin_goes_on_behind_the_last_victim) {
    thief self({.slots = 5, .visits_in_turn = true}, 1);
    EXPECT_EQ(numbers_of(self.visit_victims(5, 2)), (std::vector<unsigned>{2, 3}));
    EXPECT_TRUE(self.stopped);
    EXPECT_EQ(numbers_of(self.visit_victims(5, 2)), (std::vector<unsigned>{4, 0}));
    EXPECT_EQ(numbers_of(self.visit_victims(5, 1)), (std::vector<unsigned>{2}));
    EXPECT_EQ(numbers_of(self.visit_victims(5)), (std::vector<unsigned>{3, 4, 0, 2}));
}

TEST(victims, round_robin_gives_attempts_by_distance) {
    const auto machine = machine_of(8, 2, 2);
    thief self({.slots = 32, .machine = machine.get(), .visits_in_turn = true}, 5);
    const auto visits = self.visit_victims(32);
    ASSERT_EQ(visits.size(), 31U);
    for (const visit& each : visits) {
        constexpr unsigned attempts[] = {6, 4, 2};
        EXPECT_EQ(each.attempts, attempts[static_cast<std::size_t>(machine->of_workers(5, each.slot))]);
    }
}

TEST(victims, more_than_the_average_is_tried_harder_and_much_less_not_at_all) {
    thief self({.slots = 2}, 0);
    for (int sample = 0; sample < 100; ++sample)
        self.adjust_attempts(1000, 4);
    EXPECT_EQ(self.adjust_attempts(2000, 4), 8U);
    EXPECT_EQ(self.adjust_attempts(900, 4), 4U);
    EXPECT_EQ(self.adjust_attempts(100, 4), 0U);
    EXPECT_EQ(self.adjust_attempts(5000, 9), 9U);
}

// A victim that once held many items must not keep a thief from victims with few items forever.
TEST(victims, the_average_follows_what_is_there) {
    thief self({.slots = 2}, 0);
    for (int sample = 0; sample < 100; ++sample)
        self.adjust_attempts(100'000, 4);
    int refused = 0;
    while (self.adjust_attempts(1, 4) == 0)
        ASSERT_LT(++refused, 200);
    EXPECT_GT(refused, 0);
}

TEST(victims, without_a_divisor_every_victim_is_tried) {
    thief self({.slots = 2, .below_average_divisor = 0}, 0);
    for (int sample = 0; sample < 100; ++sample)
        self.adjust_attempts(1000, 4);
    EXPECT_EQ(self.adjust_attempts(1, 4), 4U);
}

TEST(victims, some_other_slot_is_never_ones_own_if_there_is_another) {
    thief alone({.slots = 1}, 0);
    EXPECT_EQ(alone.victims().any_other(1), 0U);
    for (const unsigned own : {0U, 3U, 4U}) {
        thief self({.slots = 5}, own);
        std::set<unsigned> others;
        for (int i = 0; i < 200; ++i)
            others.insert(self.victims().any_other(5));
        EXPECT_EQ(others.size(), 4U);
        EXPECT_FALSE(others.contains(own));
    }
}

}  // namespace
