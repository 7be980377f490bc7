// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios of the scheduler `demand`. Items are private until a worker asks for them. So these scenarios check that
// requests are heard, that sleepers are woken, and that the counter of active members tells the end.
//
// The driver is that of scheduler_driver.hpp. Items are large, so that a shared part holds four of them.
#include "definition.hpp"
#include "scheduler_driver.hpp"

#include <teff/scheduler/demand.hpp>

namespace scenarios {
namespace {

struct demand_kit {
    using task = numbered_task<1024>;
    using scheduler = teff::demand_scheduler<task>;
    static teff::scheduler_settings settings(unsigned slots) noexcept { return {.slots = slots}; }
};

// A thief's items are private to it until another worker is idle: then they are stolen again.
TEFF_SCENARIO(demand, stolen_items_are_stolen_again) {
    const auto run = pushes<0, 4, 5>;
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(3), 6, run);
    auto first = team.enter_caller();
    for (const unsigned number : {0U, 1U, 2U, 3U})
        first.push(number);
    const auto thief = [&] { team.visit(2); };
    team.work_and_check(first, thief, thief);
}

// A thief saw an item and comes too late for it, so it raises the counter for nothing.
TEFF_SCENARIO(demand, late_thief_raises_the_counter) {
    const auto run = [](auto&, unsigned) {};
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(2), 2, run);
    auto first = team.enter_caller();
    first.push(0);
    first.push(1);
    const auto caller = [&] { first.run_own(); };
    const auto thief = [&] { team.visit(1); };
    const auto observer = [&] { team.observe_end(); };
    model::parallel(caller, thief, observer);
    team.check_at_end();
}

// The bound is two private items. Refused children run inside their parent; children that are refused inside of these
// are accepted without regard to the bound.
TEFF_SCENARIO(demand, refused_children_run_at_once) {
    const auto run = [](auto& self, unsigned number) {
        if (number == 0) {
            for (const unsigned child : {1U, 2U, 3U, 4U})
                self.push(child);
        } else if (number == 4) {
            self.push(5);
        }
    };
    teff::scheduler_settings settings = demand_kit::settings(2);
    settings.private_items = 2;
    test_team<demand_kit, decltype(run)> team(settings, 6, run);
    auto first = team.enter_caller();
    first.push(0);
    team.work_and_check(first, [&] { team.visit(2); });
}

// A task in a queue of addresses, which can be taken back.
class known_task {
public:
    explicit known_task(unsigned number) noexcept : number_(number) {}
    unsigned number() const noexcept { return number_; }
    bool operator==(const known_task&) const = default;

private:
    unsigned number_;
};
struct known_task_kit {
    using task = known_task;
    using scheduler = teff::demand_scheduler<task>;
};

// The member takes back what it has pushed last, as a thread does that joins a fiber, or finds that a thief has it.
template <bool Sleeps>
void a_task_is_taken_back() {
    const auto run = [](auto&, unsigned number) { model::take(number); };
    test_team<known_task_kit, decltype(run)> team(demand_kit::settings(2), 3, run);
    auto first = team.enter_caller();
    for (const unsigned number : {0U, 1U, 2U})
        first.push(number);
    using wait_mode = decltype(team)::wait_mode;
    auto second = team.enter_worker(Sleeps ? wait_mode::sleeps : wait_mode::looks_in_turns);
    const auto caller = [&] {
        model::check(!first.local().take_back(known_task(0)), "an older item than the last one was taken back");
        for (const unsigned number : {2U, 1U}) {
            if (first.local().take_back(known_task(number)))
                first.push(number);
            first.run_next();
        }
        first.work();
    };
    model::parallel(caller, [&] { second.stay(); });
    team.check_at_end();
    model::expect_taken_once(3);
}

// The items 1 to Size wait for each other, so they need as many members.
template <unsigned Size>
class rendezvous {
public:
    void join(unsigned number) noexcept {
        if (number == 0 || number > Size)
            return;
        here_.fetch_add(1, std::memory_order_relaxed);
        model::wait_until([this] { return here_.load(std::memory_order_relaxed) == Size; });
    }

private:
    teff::atomic<unsigned> here_{0};
};

// The first member works until the end beside another one, which sleeps or looks in turns when it has no work.
template <bool Sleeps, class Team>
void work_beside_a_helper(Team& team, typename Team::member& first) {
    using wait_mode = typename Team::wait_mode;
    auto second = team.enter_worker(Sleeps ? wait_mode::sleeps : wait_mode::looks_in_turns);
    team.work_and_check(first, [&] { second.stay(); });
}

// A long item hides what it pushed until it ends, but never all of it: one of two items can be taken.
template <bool Sleeps>
void help_comes_to_a_pair() {
    rendezvous<2> pair;
    const auto run = [&](auto& self, unsigned number) {
        if (number == 0) {
            self.push(1);
            self.push(2);
        }
        pair.join(number);
    };
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(2), 3, run);
    auto first = team.enter_caller();
    first.push(0);
    work_beside_a_helper<Sleeps>(team, first);
}

// A task waits for the items that it has pushed, without calling the runtime.
template <unsigned Items, bool Sleeps>
void a_task_waits_for_its_own_items() {
    teff::atomic<unsigned> done{0};
    const auto run = [&](auto& self, unsigned number) {
        if (number != 0) {
            // relaxed, both: only end the wait.
            done.fetch_add(1, std::memory_order_relaxed);
            return;
        }
        for (unsigned item = 1; item <= Items; ++item)
            self.push(item);
        model::wait_until([&] { return done.load(std::memory_order_relaxed) == Items; });
    };
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(2), Items + 1, run);
    auto first = team.enter_caller();
    first.push(0);
    work_beside_a_helper<Sleeps>(team, first);
}

// Each item pushes another one as its last step, which the member keeps, and the first one also pushes one that others
// take.
template <bool Sleeps>
void items_follow_each_other() {
    const auto run = [](auto& self, unsigned number) {
        if (number == 0)
            self.push(3);
        if (number < 2)
            self.push_next(number + 1);
    };
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(2), 4, run);
    auto first = team.enter_caller();
    first.push(0);
    work_beside_a_helper<Sleeps>(team, first);
}

// The item that the member has kept waits for one that it pushes: the request that was answered by keeping one counts
// for that, too.
template <bool Sleeps>
void a_kept_item_waits_for_its_own_item() {
    teff::atomic<bool> done{false};
    const auto run = [&](auto& self, unsigned number) {
        if (number == 0) {
            self.push_next(1);
        } else if (number == 1) {
            self.push(2);
            // relaxed, here and below: only ends the wait.
            model::wait_until([&] { return done.load(std::memory_order_relaxed); });
        } else {
            done.store(true, std::memory_order_relaxed);
        }
    };
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(2), 3, run);
    auto first = team.enter_caller();
    first.push(0);
    work_beside_a_helper<Sleeps>(team, first);
}

// A task waits for two items, which wait for each other. One other member searches and one sleeps.
TEFF_SCENARIO(demand, a_task_waits_for_a_pair) {
    rendezvous<2> pair;
    teff::atomic<unsigned> done{0};
    const auto run = [&](auto& self, unsigned number) {
        if (number != 0) {
            pair.join(number);
            // relaxed, both: only end the wait.
            done.fetch_add(1, std::memory_order_relaxed);
            return;
        }
        self.push(1);
        self.push(2);
        model::wait_until([&] { return done.load(std::memory_order_relaxed) == 2; });
    };
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(3), 3, run);
    auto first = team.enter_caller();
    first.push(0);
    auto second = team.enter_worker();
    auto third = team.enter_worker(decltype(team)::wait_mode::sleeps);
    const auto searcher = [&] { second.stay(); };
    const auto sleeper = [&] { third.stay(); };
    team.work_and_check(first, searcher, sleeper);
}

// A member rests while the owner of an item looks for idle ones, so the owner may keep its item to itself, and then it
// blocks. When the member has found something else to do, it wakes the sleeper in its place.
TEFF_SCENARIO(demand, a_member_that_has_rested_wakes_another_one) {
    teff::atomic<bool> done{false}, is_inside{false};
    // relaxed, all: only end waits.
    const auto until_done = [&] { model::wait_until([&] { return done.load(std::memory_order_relaxed); }); };
    const auto run = [&](auto& self, unsigned number) {
        if (number == 0) {
            is_inside.store(true, std::memory_order_relaxed);
            self.push(1);
            until_done();
        } else {
            done.store(true, std::memory_order_relaxed);
        }
    };
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(3), 2, run);
    auto first = team.enter_caller();
    auto second = team.enter_worker();
    auto third = team.enter_worker(decltype(team)::wait_mode::sleeps);
    auto& members = team.idle().members();
    const auto owner = [&] {
        model::wait_until([&] { return members.resting() != 0; });
        first.push(0);
        first.work();
    };
    const auto resting = [&] {
        model::wait_until([&] { return members.sleeping() != 0; });
        team.rest_and_find_elsewhere(
            [&] { model::wait_until([&] { return is_inside.load(std::memory_order_relaxed); }); });
        until_done();
    };
    const auto sleeper = [&] { third.stay(); };
    model::parallel(owner, resting, sleeper);
    team.leave(second);
    team.check_at_end();
}

// The same beside a member that searches when the rest ends and then finds something else, too, without a look at the
// owner. The owner pushes its item after that.
TEFF_SCENARIO(demand, a_member_that_has_rested_leaves_none_in_its_place) {
    teff::atomic<unsigned> step{0};
    teff::atomic<bool> done{false};
    // acquire and release: so much later that the owner sees a request.
    const auto at_step = [&](unsigned number) {
        model::wait_until([&] { return step.load(std::memory_order_acquire) >= number; });
    };
    const auto to_step = [&](unsigned number) { step.store(number, std::memory_order_release); };
    // relaxed, both: only ends waits.
    const auto until_done = [&] { model::wait_until([&] { return done.load(std::memory_order_relaxed); }); };
    const auto run = [&](auto& self, unsigned number) {
        if (number == 0) {
            to_step(1);
            at_step(4);
            self.push(1);
            until_done();
        } else {
            done.store(true, std::memory_order_relaxed);
        }
    };
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(4), 2, run);
    auto first = team.enter_caller();
    auto second = team.enter_worker();
    auto third = team.enter_worker();
    auto fourth = team.enter_worker(decltype(team)::wait_mode::sleeps);
    auto& members = team.idle().members();
    members.end_search();
    const auto owner = [&] {
        model::wait_until([&] { return members.resting() != 0; });
        first.push(0);
        first.work();
    };
    const auto resting = [&] {
        model::wait_until([&] { return members.sleeping() != 0; });
        team.rest_and_find_elsewhere([&] { at_step(2); });
        to_step(3);
        until_done();
    };
    const auto searching = [&] {
        at_step(1);
        members.begin_search();
        to_step(2);
        team.find_elsewhere([&] { at_step(3); });
        to_step(4);
        until_done();
    };
    const auto sleeper = [&] { fourth.stay(); };
    model::parallel(owner, resting, searching, sleeper);
    team.leave(second);
    team.leave(third);
    team.check_at_end();
}

// A thief that stole both items of a pair exposes one of them again before it runs the other.
TEFF_SCENARIO(demand, loot_is_shown_again) {
    rendezvous<2> pair;
    teff::atomic<bool> thief_is_there{false};
    const auto run = [&](auto& self, unsigned number) {
        // release and acquire: with an outdated view of its own shared part the owner need not expose anything new.
        if (number == 0)
            thief_is_there.store(true, std::memory_order_release);
        if (number == 3) {
            model::wait_until([&] { return thief_is_there.load(std::memory_order_acquire); });
            for (const unsigned child : {1U, 2U, 4U, 5U})
                self.push(child);
        }
        pair.join(number);
    };
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(2), 6, run);
    auto first = team.enter_caller();
    first.push(0);
    first.push(3);
    auto second = team.enter_worker();
    const auto thief = [&] {
        // As for a worker that has just joined: its first look at its own items is on the fast path.
        while (second.look(~0U))
            second.run_own();
    };
    team.work_and_check(first, thief);
}

// An item is hidden below a chain of others, each of which pushes the next. An idle worker gets it after a few of them.
template <bool Sleeps>
void hidden_item_comes_out() {
    teff::atomic<bool> helped{false};
    const auto run = [&](auto& self, unsigned number) {
        if (number == 1) {
            helped.store(true, std::memory_order_relaxed);
        } else {
            if (number == 0)
                self.push(1);
            model::yield();
            if (!helped.load(std::memory_order_relaxed))
                self.push(nameless);
        }
    };
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(2), 2, run);
    auto first = team.enter_caller();
    first.push(0);
    work_beside_a_helper<Sleeps>(team, first);
}

// Three items wait for each other. One other member searches, and one sleeps. Both were idle from the start, so the
// owner makes the items visible before it runs the last of them. The owner may have seen the searcher and therefore not
// have woken the sleeper; then the searcher wakes it after it has found an item.
TEFF_SCENARIO(demand, finder_passes_the_call_on) {
    rendezvous<3> all_three;
    const auto run = [&](auto& self, unsigned number) {
        if (number == 0) {
            for (const unsigned child : {1U, 2U, 3U})
                self.push(child);
        }
        all_three.join(number);
    };
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(3), 4, run);
    auto first = team.enter_caller();
    first.push(0);
    auto second = team.enter_worker();
    auto third = team.enter_worker(decltype(team)::wait_mode::sleeps);
    const auto searcher = [&] { second.stay(); };
    const auto sleeper = [&] { third.stay(); };
    team.work_and_check(first, searcher, sleeper);
}

// A thief that ran out of work and found nothing has asked, while the owner reset its marks. The owner sees that the
// thief is idle, or runs into the marks.
TEFF_SCENARIO(demand, look_in_vain_meets_reset_marks) {
    const auto run = [](auto&, unsigned) {};
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(2), 1, run);
    auto first = team.enter_caller();
    auto second = team.enter_worker();
    team.idle().members().end_search();
    bool stolen = false;
    const auto pusher = [&] { first.push(0); };
    const auto thief = [&] {
        team.idle().members().begin_search();
        stolen = second.local().steal();
    };
    model::parallel(pusher, thief);
    auto* const item = first.local().claim();
    model::check(item == nullptr || team.has_visible_work(), "a request was lost");
    if (item != nullptr)
        first.run_claimed(item);
    if (stolen)
        second.run_own();
    first.run_own();
    team.check_at_end();
}

// An item becomes visible while a visitor searches, so no sleeper is woken. The visitor leaves, and must wake the
// sleeper.
TEFF_SCENARIO(demand, a_leaving_visitor_wakes_the_sleeper) {
    teff::atomic<bool> done{false};
    const auto run = [&](auto&, unsigned) { done.store(true, std::memory_order_relaxed); };
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(3), 1, run);
    using wait_mode = test_team<demand_kit, decltype(run)>::wait_mode;
    auto first = team.enter_caller();
    auto second = team.enter_worker(wait_mode::sleeps);
    const auto runner = [&] {
        model::wait_until([&] { return team.idle().members().sleeping() != 0; });
        first.push(0);
        model::wait_until([&] { return done.load(std::memory_order_relaxed); });
        first.run_own();
    };
    const auto sleeper = [&] { second.stay(); };
    const auto visitor = [&] { team.visit(1); };
    model::parallel(runner, sleeper, visitor);
    team.leave(second);
    team.check_at_end();
}

// A promise of `slots` to thieves that goes beyond what the schedulers need: the record of the highest slot is visible.
TEFF_SCENARIO(demand, entered_slot_is_published) {
    teff::slots<unsigned> records(2);
    const auto member = [&](unsigned slot) {
        return [&records, slot] {
            records[slot] = 1;
            records.use(slot);
        };
    };
    const auto thief = [&] {
        if (const unsigned used = records.used(); used != 0)
            model::check(records[used - 1] == 1, "the highest slot that is used is not there");
    };
    model::parallel(member(0), member(1), thief);
    model::check(records.used() == 2, "a slot is missing");
}

// An owner takes items back while the other member runs dry, takes what is still visible, and goes to sleep.
TEFF_SCENARIO(demand, items_on_their_way_back_do_not_seem_gone) {
    teff::atomic<bool> helped{false};
    const auto run = [&](auto&, unsigned number) {
        if (number == 1)
            helped.store(true, std::memory_order_relaxed);
        if (number == 2)
            model::wait_until([&] { return helped.load(std::memory_order_relaxed); });
    };
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(2), 4, run);
    using wait_mode = test_team<demand_kit, decltype(run)>::wait_mode;
    auto first = team.enter_caller();
    auto second = team.enter_worker(wait_mode::sleeps);
    for (const unsigned number : {0U, 1U, 2U, 3U})
        first.push(number);
    model::check(first.local().show_all(), "not all is visible");
    first.run_claimed(first.local().refill());  // the private part begins again at its first place
    team.idle().members().end_search();
    const auto helper = [&] {
        team.idle().members().begin_search();
        second.stay();
    };
    team.work_and_check(first, helper);
}

// An owner grows its array while the other member runs dry, takes what is visible, and goes to sleep.
TEFF_SCENARIO(demand, items_in_a_larger_array_do_not_seem_gone) {
    teff::atomic<bool> helped{false};
    const auto run = [&](auto&, unsigned number) {
        if (number == 1)
            helped.store(true, std::memory_order_relaxed);
    };
    test_team<demand_kit, decltype(run)> team(demand_kit::settings(2), 8, run);
    using wait_mode = test_team<demand_kit, decltype(run)>::wait_mode;
    auto first = team.enter_caller();
    auto second = team.enter_worker(wait_mode::sleeps);
    first.push(0);
    team.idle().members().end_search();
    for (unsigned number = 1; number < 7; ++number)
        first.push(number);
    const auto caller = [&] {
        first.push(7);
        model::wait_until([&] { return helped.load(std::memory_order_relaxed); });
        first.work();
    };
    const auto helper = [&] {
        team.idle().members().begin_search();
        second.stay();
    };
    model::parallel(caller, helper);
    team.check_at_end();
}

TEFF_SCENARIO(demand, tree_is_shared_and_the_end_seen_by_all) { tree_is_shared<demand_kit>(); }
TEFF_SCENARIO(demand, members_come_and_go) { members_come_and_go<demand_kit>(); }
TEFF_SCENARIO(demand, a_task_is_taken_back_beside_a_searcher) { a_task_is_taken_back<false>(); }
TEFF_SCENARIO(demand, a_task_is_taken_back_beside_a_sleeper) { a_task_is_taken_back<true>(); }
TEFF_SCENARIO(demand, help_comes_to_a_pair_from_a_searcher) { help_comes_to_a_pair<false>(); }
TEFF_SCENARIO(demand, help_comes_to_a_pair_from_a_sleeper) { help_comes_to_a_pair<true>(); }
TEFF_SCENARIO(demand, a_task_waits_for_its_own_item_beside_a_searcher) { a_task_waits_for_its_own_items<1, false>(); }
TEFF_SCENARIO(demand, a_task_waits_for_its_own_item_beside_a_sleeper) { a_task_waits_for_its_own_items<1, true>(); }
TEFF_SCENARIO(demand, a_task_waits_for_its_own_items_beside_a_searcher) { a_task_waits_for_its_own_items<3, false>(); }
TEFF_SCENARIO(demand, a_task_waits_for_its_own_items_beside_a_sleeper) { a_task_waits_for_its_own_items<3, true>(); }
TEFF_SCENARIO(demand, items_follow_each_other_beside_a_searcher) { items_follow_each_other<false>(); }
TEFF_SCENARIO(demand, items_follow_each_other_beside_a_sleeper) { items_follow_each_other<true>(); }
TEFF_SCENARIO(demand, a_kept_item_waits_for_its_own_item_beside_a_searcher) {
    a_kept_item_waits_for_its_own_item<false>();
}
TEFF_SCENARIO(demand, a_kept_item_waits_for_its_own_item_beside_a_sleeper) {
    a_kept_item_waits_for_its_own_item<true>();
}
TEFF_SCENARIO(demand, the_nearest_member_is_robbed_first) { the_nearest_member_is_robbed_first<demand_kit>(); }
TEFF_SCENARIO(demand, hidden_item_comes_out_for_a_searcher) { hidden_item_comes_out<false>(); }
TEFF_SCENARIO(demand, hidden_item_comes_out_for_a_sleeper) { hidden_item_comes_out<true>(); }
TEFF_SCENARIO(demand, sleeping_caller_is_told_the_end) { sleeping_caller_is_told_the_end<demand_kit>(); }
TEFF_SCENARIO(demand, request_meets_reset_marks) { request_meets_reset_marks<demand_kit>(); }
TEFF_SCENARIO(demand, cancel_while_items_run) { cancel_while_items_run<demand_kit>(); }
TEFF_SCENARIO(demand, cancel_meets_reset_marks) { cancel_meets_reset_marks<demand_kit>(); }
TEFF_SCENARIO(demand, cancel_meets_entering_member) { cancel_meets_entering_member<demand_kit>(); }

}  // namespace

std::span<const model::scenario> demand_scenarios() { return defined_here; }

}  // namespace scenarios
