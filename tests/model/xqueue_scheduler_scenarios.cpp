// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios of the schedulers of X-OpenMP. Items are dealt out without a fence. So these scenarios check that none is
// forgotten in the queue of a member that sleeps or has left, that answers reach the members that asked, and that the
// end is found.
//
// The driver is that of scheduler_driver.hpp. Queues have room for four items, and a thief that waits gives up after
// one or two looks. An item that no member runs is a livelock, since the members that remain look for ever.
#include "definition.hpp"
#include "scheduler_driver.hpp"

#include <teff/frontends/reduce/reduction_team.hpp>
#include <teff/scheduler/xqueue_scheduler.hpp>

namespace scenarios {
namespace {

using teff::xqueue_stealing;

template <xqueue_stealing Stealing>
struct xqueue_kit {
    using task = numbered_task<1>;
    using scheduler = teff::xqueue_scheduler<task>;
    static teff::scheduler_settings settings(unsigned slots) noexcept {
        teff::scheduler_settings chosen{.slots = slots};
        chosen.stealing = Stealing;
        chosen.xqueue_capacity = 4;
        chosen.min_tries = 1;
        chosen.max_tries = 2;
        chosen.dry_polls = 1;
        chosen.xqueue_full_pause = 0;
        return chosen;
    }
};
using static_kit = xqueue_kit<xqueue_stealing::none>;
using wait_kit = xqueue_kit<xqueue_stealing::wait>;
using nowait_kit = xqueue_kit<xqueue_stealing::no_wait>;
using nowait2_kit = xqueue_kit<xqueue_stealing::no_wait_two>;

// A worker deals to the caller, which sleeps or is about to. The worker may not see that, but has to when it runs dry.
template <class Kit>
void what_is_dealt_to_the_sleeping_caller_is_run() {
    const auto run = pushes<0, 1, 2>;
    test_team<Kit, decltype(run)> team(Kit::settings(2), 3, run);
    auto first = team.enter_caller(decltype(team)::wait_mode::sleeps);
    auto second = team.enter_worker_with(0);
    team.work_and_check(first, [&] { second.work(); });
}

// A member leaves while another one deals to it, and then that one leaves, too. An item that came too late for the
// first one is run by the member that dealt it, or by the caller, which has to be told of it.
template <class Kit>
void what_is_dealt_to_a_member_that_leaves_is_run() {
    const auto run = pushes<0, 1, 2>;
    test_team<Kit, decltype(run)> team(Kit::settings(3), 3, run);
    auto first = team.enter_caller(decltype(team)::wait_mode::sleeps);
    auto second = team.enter_worker_with(0);
    auto third = team.enter_worker();
    const auto dealer = [&] {
        second.run_own();
        while (second.look(1))
            second.run_rest();
        team.depart(second);
    };
    const auto leaver = [&] {
        while (third.look(1))
            third.run_own();
        team.depart(third);
    };
    team.work_and_check(first, dealer, leaver);
}

// All queued items are with the first member. Thieves ask for them, and have left when the answer comes, or their slot
// has passed to the next member.
template <class Kit>
void thieves_leave_before_they_are_answered() {
    const auto run = pushes<3, 4>;
    test_team<Kit, decltype(run)> team(Kit::settings(2), 5, run);
    auto first = team.enter_caller();
    for (const unsigned number : {0U, 1U, 2U, 3U})
        first.push(number);
    const auto thief = [&] { team.visit(1); };
    team.work_and_check(first, thief, thief);
}

// The same for a thief beyond the victim's reach, whose answer comes in its cell alone: in a ring of four with queues
// from three, slot 2 is not reached from slot 0.
void a_distant_thief_leaves_before_it_is_answered() {
    const auto run = [](auto&, unsigned) {};
    teff::scheduler_settings settings = wait_kit::settings(4);
    settings.xqueue_memory = 1;
    test_team<wait_kit, decltype(run)> team(settings, 3, run);
    auto first = team.enter_caller();
    for (const unsigned number : {0U, 1U, 2U})
        first.push(number);
    auto second = team.enter_worker();
    auto distant = team.enter_worker();
    team.depart(second);
    const auto thief = [&] {
        while (distant.look(3))
            distant.run_own();
        team.depart(distant);
    };
    team.work_and_check(first, thief);
}

// All queues are full: children run inside their parent, and children that are refused inside of these are kept without
// regard to bounds.
template <class Kit>
void refused_children_are_not_lost() {
    const auto run = [](auto& self, unsigned number) {
        if (number == 0) {
            for (unsigned child = 1; child < 7; ++child)
                self.push(child);
        } else if (number == 6) {
            self.push(7);
        }
    };
    test_team<Kit, decltype(run)> team(Kit::settings(2), 8, run);
    auto first = team.enter_caller();
    first.push(0);
    team.work_and_check(first, [&] { team.visit(2); });
}

// With the option `rescue`: a member is inside a task until all that it has dealt was run. The other member leaves
// meanwhile, and then a worker comes in for what is visible.
template <class Kit>
void a_busy_members_items_are_visible_after_a_member_left() {
    teff::atomic<unsigned> ran{0};
    const auto run = [&](auto& self, unsigned number) {
        // relaxed, both: a count.
        if (number != 0) {
            ran.fetch_add(1, std::memory_order_relaxed);
            return;
        }
        self.push(1);
        self.push(2);
        model::wait_until([&] { return ran.load(std::memory_order_relaxed) == 2; });
    };
    test_team<Kit, decltype(run)> team(Kit::settings(2), 3, run);
    auto first = team.enter_caller();
    first.push(0);
    auto second = team.enter_worker();
    const auto worker = [&] {
        team.depart(second);
        // relaxed: as above.
        while (ran.load(std::memory_order_relaxed) != 2) {
            model::wait_until([&] { return team.has_visible_work() || ran.load(std::memory_order_relaxed) == 2; });
            team.visit(1);
        }
    };
    team.work_and_check(first, worker);
}

// Two first items, each of which creates one more: either member may take the second one, and the end is found.
TEFF_SCENARIO(xqueue_scheduler, first_items_are_shared) {
    const auto run = [](auto& self, unsigned number) {
        if (number < 2)
            self.push(number + 2);
    };
    test_team<static_kit, decltype(run)> team(static_kit::settings(2), 4, run);
    auto first = team.enter_caller();
    for (const unsigned number : {0U, 1U})
        first.push_first(number);
    const auto worker = [&] {
        auto second = team.enter_worker();
        second.stay();
        team.leave(second);
    };
    team.work_and_check(first, worker);
}

// Two members that search drop what was dealt to them. The caller, which has dropped its own items, has to be told that
// this was the end.
template <class Kit>
void a_cancelled_team_tells_its_caller() {
    const auto run = [](auto&, unsigned) { model::check(false, "an item of a cancelled team was run"); };
    using team_type = test_team<Kit, decltype(run)>;
    team_type team(Kit::settings(3), 3, run, team_type::completion::may_drop);
    auto first = team.enter_caller(team_type::wait_mode::sleeps);
    auto second = team.enter_worker();
    auto third = team.enter_worker();
    for (const unsigned number : {0U, 1U, 2U})
        first.push(number);
    team.cancel();
    const auto other = [](auto& member) {
        return [&member] { member.stay(); };
    };
    team.work_and_check(first, other(second), other(third));
}

// A real reduction on the pool. One task pushes until another thread runs something. A worker that sleeps or is about
// to has to be invited and dealt to; or the caller, if it is the worker that runs that task.
template <class Kit>
void a_sleeping_worker_is_invited() {
    struct task {
        unsigned number;
    };
    teff::plain<unsigned> pusher{0};
    teff::atomic<bool> helped{false};
    const auto body = [&](auto& pool, task&& mine) {
        if (mine.number != 0) {
            if (teff::this_thread().worker != pusher.read())
                // relaxed: only ends the scenario.
                helped.store(true, std::memory_order_relaxed);
            return 0U;
        }
        pusher.write(teff::this_thread().worker);
        // relaxed: see above.
        while (!helped.load(std::memory_order_relaxed)) {
            pool.enq(task{1});
            model::yield();
        }
        return 1U;
    };
    constexpr long spin_us = 10;  // one look at the model's clock
    teff::pool::instance().ensure_workers(1);
    teff::reducing::reduction_team<teff::xqueue_scheduler<task>, decltype(body), task, unsigned> team(
        Kit::settings(2), spin_us, body);
    unsigned sum = 0;
    team.run(sum, [](auto&& add) { add(task{0}); });
    model::check(sum == 1, "the sum of the tasks is wrong");
}

#define WITH(queues, name, body)                                                                                       \
    TEFF_SCENARIO(xqueue_scheduler, queues##_##name) { body<queues##_kit>(); }
WITH(static, tree_is_shared, tree_is_shared)
WITH(wait, tree_is_shared, tree_is_shared)
WITH(nowait, tree_is_shared, tree_is_shared)
WITH(nowait2, tree_is_shared, tree_is_shared)
WITH(static, members_come_and_go, members_come_and_go)
WITH(wait, members_come_and_go, members_come_and_go)
WITH(nowait2, members_come_and_go, members_come_and_go)
WITH(static, caller_is_told_the_end, sleeping_caller_is_told_the_end)
WITH(wait, caller_is_told_the_end, sleeping_caller_is_told_the_end)
WITH(nowait, caller_is_told_the_end, sleeping_caller_is_told_the_end)
WITH(static, caller_is_woken, what_is_dealt_to_the_sleeping_caller_is_run)
WITH(wait, caller_is_woken, what_is_dealt_to_the_sleeping_caller_is_run)
WITH(nowait2, caller_is_woken, what_is_dealt_to_the_sleeping_caller_is_run)
WITH(static, late_item_is_found, what_is_dealt_to_a_member_that_leaves_is_run)
WITH(wait, late_item_is_found, what_is_dealt_to_a_member_that_leaves_is_run)
WITH(nowait, late_item_is_found, what_is_dealt_to_a_member_that_leaves_is_run)
WITH(wait, late_answer_is_found, thieves_leave_before_they_are_answered)
TEFF_SCENARIO(xqueue_scheduler, wait_late_answer_from_afar_is_found) { a_distant_thief_leaves_before_it_is_answered(); }
WITH(nowait, late_answer_is_found, thieves_leave_before_they_are_answered)
WITH(static, refused_children_are_not_lost, refused_children_are_not_lost)
WITH(nowait2, refused_children_are_not_lost, refused_children_are_not_lost)
WITH(static, cancel_while_items_run, cancel_while_items_run)
WITH(wait, cancel_while_items_run, cancel_while_items_run)
WITH(nowait2, cancel_while_items_run, cancel_while_items_run)
TEFF_SCENARIO(xqueue_scheduler, cancel_meets_entering_member) { cancel_meets_entering_member<static_kit>(); }
WITH(static, cancelled_team_tells_its_caller, a_cancelled_team_tells_its_caller)
WITH(wait, cancelled_team_tells_its_caller, a_cancelled_team_tells_its_caller)
WITH(static, worker_is_invited, a_sleeping_worker_is_invited)
WITH(wait, worker_is_invited, a_sleeping_worker_is_invited)
WITH(nowait, worker_is_invited, a_sleeping_worker_is_invited)
TEFF_SCENARIO(xqueue_scheduler, static_busy_members_items_are_rescued) {
    a_busy_members_items_are_rescued<rescuing<static_kit>, false>();
}
TEFF_SCENARIO(xqueue_scheduler, wait_busy_members_items_are_rescued) {
    a_busy_members_items_are_rescued<rescuing<wait_kit>, true>();
}
TEFF_SCENARIO(xqueue_scheduler, nowait2_busy_members_items_are_rescued) {
    a_busy_members_items_are_rescued<rescuing<nowait2_kit>, false>();
}
TEFF_SCENARIO(xqueue_scheduler, static_rescue_of_a_sleepers_items) {
    a_busy_members_items_are_rescued<rescuing<static_kit>, true>();
}
TEFF_SCENARIO(xqueue_scheduler, static_items_are_rescued_after_a_member_left) {
    a_busy_members_items_are_visible_after_a_member_left<rescuing<static_kit>>();
}
TEFF_SCENARIO(xqueue_scheduler, nowait_items_are_rescued_after_a_member_left) {
    a_busy_members_items_are_visible_after_a_member_left<rescuing<nowait_kit>>();
}
TEFF_SCENARIO(xqueue_scheduler, static_rescuers_share_a_tree) { tree_is_shared<rescuing<static_kit>>(); }
TEFF_SCENARIO(xqueue_scheduler, wait_rescuers_share_a_tree) { tree_is_shared<rescuing<wait_kit>>(); }
TEFF_SCENARIO(xqueue_scheduler, nowait_rescuers_share_a_tree) { tree_is_shared<rescuing<nowait_kit>>(); }
TEFF_SCENARIO(xqueue_scheduler, static_rescuers_come_and_go) { members_come_and_go<rescuing<static_kit>>(); }
TEFF_SCENARIO(xqueue_scheduler, nowait_cancel_while_items_are_rescued) {
    cancel_while_items_run<rescuing<nowait_kit>>();
}

}  // namespace

std::span<const model::scenario> xqueue_scheduler_scenarios() { return defined_here; }

}  // namespace scenarios
