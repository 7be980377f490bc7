// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios of the schedulers on task descriptors: ompi, fifo, sherwood, nemesis and distrib (scheduler_driver.hpp).
//
// They share counting, waking and recycling, so most scenarios hold for all of them. They differ in which members may
// take a task. Where only the members of its slot or shepherd may, a task must not be forgotten when they have left,
// and the caller must be woken for a task that it alone can take. Where any member may, a member that finds tasks wakes
// the next one.
#include "definition.hpp"
#include "scheduler_driver.hpp"

#include <teff/scheduler/schedulers.hpp>
#include <teff/scheduler/shepherds.hpp>
#include <teff/scheduler/task_scheduler_for.hpp>

namespace scenarios {
namespace {

using teff::distrib, teff::fifo, teff::nemesis, teff::ompi, teff::sherwood;

// Small bounds, so that few items reach them. Two shepherds: even slots and odd ones.
template <class Row>
struct kit {
    using task = numbered_task<1>;
    using scheduler = teff::task_scheduler_for<task>;
    static teff::scheduler_settings settings(unsigned slots) noexcept {
        teff::scheduler_settings chosen{.slots = slots};
        Row::select(chosen);
        chosen.ompi_queue_size = 4;
        chosen.shepherds = 2;
        chosen.distrib_steal_ratio = 1;
        return chosen;
    }
};

// Each member is a shepherd, as is usual for fifo.
template <class Kit>
struct shepherd_each : Kit {
    static teff::scheduler_settings settings(unsigned slots) noexcept {
        teff::scheduler_settings chosen = Kit::settings(slots);
        chosen.shepherds = chosen.shepherd_per_worker;
        return chosen;
    }
};

// The count of a shepherd's members is a hint for how much to steal, but it must not drift.
TEFF_SCENARIO(task_scheduler, shepherds_count_their_members) {
    teff::scheduler_settings settings;
    settings.slots = 3;
    settings.shepherds = 1;
    teff::shepherds all(settings, settings.shepherd_per_worker);
    const auto member = [&](unsigned slot) {
        return [&all, slot] {
            all.join_slot(slot, slot);
            all.leave_slot(slot);
        };
    };
    model::parallel(member(0), member(1), [&] { all.join_slot(2, 2); });
    model::check(all.members(0) == 1, "a shepherd has a wrong number of members");
}

// A thief's items can be stolen from it, whichever slot was entered first.
template <class Kit>
void stolen_items_are_stolen_again() {
    const auto run = [](auto& self, unsigned number) {
        if (number < 2)
            self.push(number + 2);
    };
    test_team<Kit, decltype(run)> team(Kit::settings(3), 4, run);
    auto first = team.enter_caller();
    first.push(0);
    first.push(1);
    const auto thief = [&] { team.visit(2); };
    team.work_and_check(first, thief, thief);
}

// A member that has room for one or two items pushes four. A refused item runs at once; children that are refused
// inside of it are accepted without regard to the bound.
template <class Kit>
void what_is_refused_runs_all_the_same() {
    const auto run = [](auto& self, unsigned number) {
        if (number == 0) {
            for (const unsigned child : {1U, 2U, 3U, 4U})
                self.push(child);
        } else if (number == 4) {
            self.push(5);
            self.push(6);
        }
    };
    teff::scheduler_settings settings = Kit::settings(2);
    settings.max_queued = 2;
    settings.ompi_queue_size = 1;
    test_team<Kit, decltype(run)> team(settings, 7, run);
    auto first = team.enter_caller();
    first.push(0);
    team.work_and_check(first, [&] { team.visit(2); });
}

// Two members drop an item each. Neither has to see that the other one is done, and the caller sleeps, or is about to.
template <class Kit>
void cancelled_team_wakes_its_caller() {
    const auto run = [](auto&, unsigned) {};
    using team_type = test_team<Kit, decltype(run)>;
    team_type team(Kit::settings(3), 2, run, team_type::completion::may_drop);
    auto first = team.enter_caller(team_type::wait_mode::sleeps);
    auto second = team.enter_worker();
    auto third = team.enter_worker();
    second.push(0);
    second.push(1);
    team.cancel();
    const auto caller = [&] { first.work(); };
    const auto worker = [](auto& self) {
        return [&self] { self.stay(); };
    };
    model::parallel(caller, worker(second), worker(third));
    model::check(team.see_end(), "a cancelled team did not come to its end");
    model::expect_taken_once(2);
}

// Items are for a slot, or a shepherd, whose member is just leaving, and the member that pushed them leaves as well.
// The caller, which sleeps, or is about to, is left alone with them.
template <class Kit>
void items_for_who_leaves_are_found() {
    const auto run = pushes<0, 1, 2>;
    teff::scheduler_settings settings = Kit::settings(3);
    settings.shepherds = 3;
    test_team<Kit, decltype(run)> team(settings, 3, run);
    auto first = team.enter_caller(decltype(team)::wait_mode::sleeps);
    auto second = team.enter_worker();
    first.push(0);  // goes to the second member
    const auto pusher = [&] {
        while (second.look(2))
            second.run_rest();
        team.depart(second);
    };
    const auto visitor = [&] { team.visit(1); };
    team.work_and_check(first, pusher, visitor);
}

// A visitor of a slot takes a late item while the slot's next member enters.
template <class Kit>
void visitor_meets_new_member() {
    const auto run = [](auto&, unsigned) {};
    teff::scheduler_settings settings = Kit::settings(2);
    test_team<Kit, decltype(run)> team(settings, 3, run);
    auto first = team.enter_caller();
    {
        auto second = team.enter_worker();
        for (const unsigned number : {0U, 1U, 2U})
            first.push(number);
        team.depart(second);
    }
    const auto visitor = [&] { team.visit(1); };
    team.work_and_check(first, visitor, visitor);
}

// Only the caller can take an item, and it sleeps, or is about to, while others search.
template <class Kit>
void an_item_for_the_caller_wakes_it() {
    const auto run = pushes<0, 1, 2>;
    test_team<Kit, decltype(run)> team(Kit::settings(2), 3, run);
    auto first = team.enter_caller(decltype(team)::wait_mode::sleeps);
    auto second = team.enter_worker();
    first.push(0);  // goes to the second member
    team.work_and_check(first, [&] { second.stay(); });
}

// Two items that wait for each other: one of them is taken by a member that sleeps, or is about to.
template <class Kit>
void help_comes_to_a_pair() {
    teff::atomic<unsigned> here{0};
    const auto run = [&](auto& self, unsigned number) {
        if (number == 0) {
            self.push(1);
            self.push(2);
            return;
        }
        here.fetch_add(1, std::memory_order_relaxed);
        model::wait_until([&] { return here.load(std::memory_order_relaxed) == 2; });
    };
    test_team<Kit, decltype(run)> team(Kit::settings(2), 3, run);
    auto first = team.enter_caller();
    first.push(0);
    auto second = team.enter_worker(decltype(team)::wait_mode::sleeps);
    team.work_and_check(first, [&] { second.stay(); });
}

// Two items that wait for each other are in the queue of a member that does nothing. A member that finds one of them,
// or takes both along, wakes the one that sleeps.
template <class Kit>
void finder_calls_the_next() {
    teff::atomic<unsigned> here{0};
    const auto run = [&](auto&, unsigned) {
        here.fetch_add(1, std::memory_order_relaxed);
        model::wait_until([&] { return here.load(std::memory_order_relaxed) == 2; });
    };
    test_team<Kit, decltype(run)> team(Kit::settings(3), 2, run);
    auto first = team.enter_caller();
    auto second = team.enter_worker_with(0);
    second.push(1);
    auto third = team.enter_worker(decltype(team)::wait_mode::sleeps);
    const auto finder = [&] { first.work(); };
    const auto sleeper = [&] { third.stay(); };
    model::parallel(finder, sleeper);
    team.check_at_end();
}

// Items that are left in the queues of a scheduler are destroyed with it, also in queues that have no member any more.
template <class Kit>
void items_that_are_left_are_destroyed() {
    const auto run = [](auto&, unsigned) {};
    {
        test_team<Kit, decltype(run)> team(Kit::settings(3), 6, run);
        auto first = team.enter_caller();
        auto second = team.enter_worker();
        auto third = team.enter_worker();
        const auto pusher = [](auto& self, unsigned number) {
            return [&self, number] {
                self.push(number);
                self.push(number + 1);
            };
        };
        model::parallel(pusher(first, 0), pusher(second, 2), pusher(third, 4));
        team.leave(second);
    }
    model::expect_taken_once(6);
}

#define ON_SCHEDULER(scheduler, name, body)                                                                            \
    TEFF_SCENARIO(task_scheduler, scheduler##_##name) { body<kit<scheduler>>(); }
#define ON_EACH_SCHEDULER(name, body)                                                                                  \
    ON_SCHEDULER(ompi, name, body)                                                                                     \
    ON_SCHEDULER(fifo, name, body)                                                                                     \
    ON_SCHEDULER(sherwood, name, body)                                                                                 \
    ON_SCHEDULER(nemesis, name, body)                                                                                  \
    ON_SCHEDULER(distrib, name, body)
ON_EACH_SCHEDULER(tree_is_shared, tree_is_shared)
ON_EACH_SCHEDULER(members_come_and_go, members_come_and_go)
ON_EACH_SCHEDULER(sleeping_caller_is_told_the_end, sleeping_caller_is_told_the_end)
ON_EACH_SCHEDULER(cancelled_team_wakes_its_caller, cancelled_team_wakes_its_caller)
ON_EACH_SCHEDULER(items_that_are_left_are_destroyed, items_that_are_left_are_destroyed)
ON_SCHEDULER(ompi, what_is_refused_runs_all_the_same, what_is_refused_runs_all_the_same)
ON_SCHEDULER(nemesis, what_is_refused_runs_all_the_same, what_is_refused_runs_all_the_same)
ON_SCHEDULER(distrib, what_is_refused_runs_all_the_same, what_is_refused_runs_all_the_same)
ON_SCHEDULER(ompi, loot_is_stolen_again, stolen_items_are_stolen_again)
ON_SCHEDULER(sherwood, loot_is_stolen_again, stolen_items_are_stolen_again)
ON_SCHEDULER(distrib, loot_is_stolen_again, stolen_items_are_stolen_again)
ON_SCHEDULER(nemesis, cancel_while_items_run, cancel_while_items_run)
ON_SCHEDULER(distrib, cancel_while_items_run, cancel_while_items_run)
ON_SCHEDULER(fifo, items_for_a_leaving_member_are_found, items_for_who_leaves_are_found)
ON_SCHEDULER(nemesis, items_for_a_leaving_member_are_found, items_for_who_leaves_are_found)
ON_SCHEDULER(distrib, items_for_a_leaving_member_are_found, items_for_who_leaves_are_found)
ON_SCHEDULER(fifo, visitor_meets_new_member, visitor_meets_new_member)
ON_SCHEDULER(nemesis, visitor_meets_new_member, visitor_meets_new_member)
ON_SCHEDULER(distrib, visitor_meets_new_member, visitor_meets_new_member)
ON_SCHEDULER(fifo, item_for_the_caller_wakes_it, an_item_for_the_caller_wakes_it)
ON_SCHEDULER(nemesis, item_for_the_caller_wakes_it, an_item_for_the_caller_wakes_it)
ON_SCHEDULER(ompi, help_comes_to_a_pair, help_comes_to_a_pair)
ON_SCHEDULER(sherwood, help_comes_to_a_pair, help_comes_to_a_pair)
ON_SCHEDULER(distrib, help_comes_to_a_pair, help_comes_to_a_pair)
ON_SCHEDULER(ompi, finder_calls_the_next, finder_calls_the_next)
ON_SCHEDULER(sherwood, finder_calls_the_next, finder_calls_the_next)
ON_SCHEDULER(distrib, finder_calls_the_next, finder_calls_the_next)

TEFF_SCENARIO(task_scheduler, cancel_meets_entering_member) { cancel_meets_entering_member<kit<ompi>>(); }
TEFF_SCENARIO(task_scheduler, single_fifo_tree_is_shared) { tree_is_shared<shepherd_each<kit<fifo>>>(); }
TEFF_SCENARIO(task_scheduler, single_fifo_members_come_and_go) { members_come_and_go<shepherd_each<kit<fifo>>>(); }
TEFF_SCENARIO(task_scheduler, single_fifo_visitor_meets_new_member) {
    visitor_meets_new_member<shepherd_each<kit<fifo>>>();
}
TEFF_SCENARIO(task_scheduler, single_fifo_item_for_the_caller_wakes_it) {
    an_item_for_the_caller_wakes_it<shepherd_each<kit<fifo>>>();
}
TEFF_SCENARIO(task_scheduler, fifo_busy_members_items_are_rescued) {
    a_busy_members_items_are_rescued<rescuing<kit<fifo>>, false>();
}
TEFF_SCENARIO(task_scheduler, fifo_rescue_of_a_sleepers_items) {
    a_busy_members_items_are_rescued<rescuing<kit<fifo>>, true>();
}
TEFF_SCENARIO(task_scheduler, fifo_rescuers_share_a_tree) { tree_is_shared<rescuing<kit<fifo>>>(); }
TEFF_SCENARIO(task_scheduler, fifo_rescuers_come_and_go) { members_come_and_go<rescuing<kit<fifo>>>(); }
TEFF_SCENARIO(task_scheduler, fifo_cancel_while_items_are_rescued) { cancel_while_items_run<rescuing<kit<fifo>>>(); }
TEFF_SCENARIO(task_scheduler, nemesis_busy_members_items_are_rescued) {
    a_busy_members_items_are_rescued<rescuing<kit<nemesis>>, false>();
}
TEFF_SCENARIO(task_scheduler, nemesis_rescue_of_a_sleepers_items) {
    a_busy_members_items_are_rescued<rescuing<kit<nemesis>>, true>();
}
TEFF_SCENARIO(task_scheduler, nemesis_rescuers_share_a_tree) { tree_is_shared<rescuing<kit<nemesis>>>(); }
TEFF_SCENARIO(task_scheduler, nemesis_rescuers_come_and_go) { members_come_and_go<rescuing<kit<nemesis>>>(); }
TEFF_SCENARIO(task_scheduler, nemesis_cancel_while_items_are_rescued) {
    cancel_while_items_run<rescuing<kit<nemesis>>>();
}

}  // namespace

std::span<const model::scenario> task_scheduler_scenarios() { return defined_here; }

}  // namespace scenarios
