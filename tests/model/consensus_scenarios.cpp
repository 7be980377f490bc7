// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios of the end-of-work consensus alone, and of the scheduler `blaze`, which is built on it.
//
// For the consensus alone, mailboxes with room for one task replace the queues. A mailbox orders what came before the
// task was put in, and nothing else, so the results of the tasks are ordered by the consensus or not at all. Running a
// task is a plain write. A thread that learns that all work is over, from is_over() or because its own call ended the
// work, reads all of them. `blaze` is driven as in scheduler_driver.hpp, with blocks of two items, so that blocks are
// used up, retired and reused within a few pushes.
#include "definition.hpp"
#include "mailbox.hpp"
#include "scheduler_driver.hpp"

#include <teff/base/locks.hpp>
#include <teff/reclaim/epoch.hpp>
#include <teff/reclaim/hazard.hpp>
#include <teff/scheduler/blaze.hpp>
#include <teff/scheduler/consensus.hpp>
#include <teff/scheduler/stop_state.hpp>

namespace scenarios {
namespace {

using account = teff::consensus::account;

// The consensus, and the results that the tasks leave behind.
template <unsigned Tasks>
class ledger {
public:
    teff::consensus end;

    void run(unsigned task) noexcept {
        model::take(task);
        ++results_[task];
    }
    // Every answer of settle() and report(). The call that ends the work may use all results without another look.
    void answer(bool over) noexcept {
        if (!over)
            return;
        check_results();
        ++announcements_;
    }
    void settle(account& owner, std::uint64_t stolen) noexcept { answer(end.settle(owner, stolen)); }
    void report(account& owner, std::uint64_t tasks) noexcept { answer(end.report(owner, tasks)); }
    // The owner of one task in a mailbox runs it unless it was stolen, and then settles.
    void run_rest_and_settle(account& owner, mailbox& box, std::uint64_t stolen_before = 0) noexcept {
        unsigned task = 0;
        const bool mine = box.take(task);
        if (mine)
            run(task);
        settle(owner, stolen_before + (mine ? 0 : 1));
    }
    bool steal(mailbox& from, account& owner) noexcept {
        unsigned task = 0;
        if (!from.take(task))
            return false;
        run(task);
        report(owner, 1);
        return true;
    }

    void await_end() noexcept {
        model::wait_until([this] { return end.is_over(); });
        check_results();
    }
    void check_at_end() noexcept {
        model::check(end.is_over(), "all is done, but it is not over");
        model::check(announcements_ == 1, "the end of the work was not announced by exactly one call");
        check_results();
        model::expect_taken_once(Tasks);
    }

private:
    void check_results() noexcept {
        for (const unsigned result : results_)
            model::check(result == 1, "the end was announced before every task had run");
    }

    unsigned results_[Tasks] = {};
    unsigned announcements_ = 0;
};

TEFF_SCENARIO(consensus, own_tasks_reach_the_observer) {
    ledger<1> all;
    account mine;
    all.end.begin(mine);
    const auto owner = [&] {
        all.run(0);
        all.settle(mine, 0);
    };
    const auto observer = [&] { all.await_end(); };
    model::parallel(owner, observer);
    all.check_at_end();
}

// The last decrement must see what came before the first one, too: the owner that makes it may use the other's results.
TEFF_SCENARIO(consensus, two_owners_settle_at_once) {
    ledger<2> all;
    account accounts[2];
    all.end.begin(accounts[0]);
    all.end.activate(accounts[1]);
    const auto own = [&](unsigned number) {
        return [&all, &accounts, number] {
            all.run(number);
            all.settle(accounts[number], 0);
        };
    };
    model::parallel(own(0), own(1));
    all.check_at_end();
}

// Either the owner's settle() or the thief's report() comes last, and publishes the work of both.
TEFF_SCENARIO(consensus, report_meets_settle) {
    ledger<2> all;
    account mine;
    mailbox box;
    all.end.begin(mine);
    const auto owner = [&] {
        box.put(1);
        all.run(0);
        all.run_rest_and_settle(mine, box);
    };
    const auto thief = [&] { all.steal(box, mine); };
    const auto observer = [&] { all.await_end(); };
    model::parallel(owner, thief, observer);
    all.check_at_end();
}

TEFF_SCENARIO(consensus, last_reporter_knows_the_other) {
    ledger<3> all;
    account mine;
    mailbox boxes[2];
    all.end.begin(mine);
    boxes[0].put(1);
    boxes[1].put(2);
    const auto owner = [&] {
        all.run(0);
        unsigned stolen = 2;
        for (mailbox& box : boxes) {
            unsigned task = 0;
            if (box.take(task)) {
                all.run(task);
                --stolen;
            }
        }
        all.settle(mine, stolen);
    };
    const auto thief = [&](unsigned number) {
        return [&all, &boxes, &mine, number] { all.steal(boxes[number], mine); };
    };
    const auto observer = [&] { all.await_end(); };
    model::parallel(owner, thief(0), thief(1), observer);
    all.check_at_end();
}

// A thief takes the victim's only task, which has a child.
template <unsigned Tasks>
void run_stolen(ledger<Tasks>& all, mailbox& from, account& victim, mailbox& own_box, account& own) {
    unsigned task = 0;
    model::check(from.take(task), "nobody else takes this task");
    all.end.activate(own);
    own_box.put(1);
    all.run(task);
    all.report(victim, 1);
}

// The thief activates its own account before it reports, so the end of the victim's work is not the end of all work.
TEFF_SCENARIO(consensus, stolen_task_has_a_child) {
    ledger<2> all;
    account first, second;
    mailbox first_box, second_box;
    all.end.begin(first);
    first_box.put(0);
    const auto owner = [&] {
        model::wait_until([&] { return first_box.is_empty(); });
        all.settle(first, 1);
        all.steal(second_box, second);
        all.await_end();
    };
    const auto thief = [&] {
        run_stolen(all, first_box, first, second_box, second);
        all.run_rest_and_settle(second, second_box);
        all.await_end();
    };
    model::parallel(owner, thief);
    all.check_at_end();
}

// An owner gets new work while its stolen task still runs: its balance is negative or zero when it activates again.
TEFF_SCENARIO(consensus, settled_owner_begins_again) {
    ledger<3> all;
    account first, second;
    mailbox first_box, second_box, again_box;
    all.end.begin(first);
    first_box.put(0);
    const auto owner = [&] {
        model::wait_until([&] { return first_box.is_empty(); });
        all.settle(first, 1);
        unsigned task = 0;
        model::wait_until([&] { return second_box.take(task); });
        all.end.activate(first);
        again_box.put(2);
        all.run(task);
        all.report(second, 1);
        all.run_rest_and_settle(first, again_box, 1);
    };
    const auto thief = [&] {
        run_stolen(all, first_box, first, second_box, second);
        model::wait_until([&] { return second_box.is_empty(); });
        all.settle(second, 1);
        all.steal(again_box, first);
    };
    const auto observer = [&] { all.await_end(); };
    model::parallel(owner, thief, observer);
    all.check_at_end();
}

// A thief that takes several tasks puts all but one into its own queue, where they can be stolen again, and reports
// them together.
TEFF_SCENARIO(consensus, adopted_task_is_stolen_again) {
    ledger<3> all;
    account first, second;
    mailbox boxes[2], adopted;
    all.end.begin(first);
    boxes[0].put(1);
    boxes[1].put(2);
    const auto owner = [&] {
        all.run(0);
        model::wait_until([&] { return boxes[0].is_empty() && boxes[1].is_empty(); });
        all.settle(first, 2);
        all.steal(adopted, second);
        all.await_end();
    };
    const auto thief = [&] {
        unsigned task = 0, kept = 0;
        model::check(boxes[0].take(task) && boxes[1].take(kept), "nobody else takes these tasks");
        all.end.activate(second);
        adopted.put(kept);
        all.run(task);
        all.report(first, 2);
        all.run_rest_and_settle(second, adopted);
    };
    model::parallel(owner, thief);
    all.check_at_end();
}

// Two threads use one account in turn. A task that the first one put in may be stolen after that thread has left.
TEFF_SCENARIO(consensus, account_passes_to_another_thread) {
    ledger<4> all;
    account first, shared;
    mailbox boxes[2], children[2];
    teff::mutex mutex;
    unsigned stolen = 0;  // under the mutex
    all.end.begin(first);
    boxes[0].put(0);
    boxes[1].put(1);
    const auto visitor = [&](unsigned number) {
        return [&, number] {
            const teff::scoped_lock lock(mutex);
            unsigned task = 0;
            model::check(boxes[number].take(task), "nobody else takes this task");
            all.end.activate(shared);
            children[number].put(2 + number);
            all.run(task);
            all.report(first, 1);
            unsigned child = 0;
            if (children[number].take(child))
                all.run(child);
            else
                ++stolen;
            all.settle(shared, stolen);
        };
    };
    const auto owner = [&] {
        model::wait_until([&] { return boxes[0].is_empty() && boxes[1].is_empty(); });
        all.settle(first, 2);
        all.steal(children[0], shared);
        all.steal(children[1], shared);
        all.await_end();
    };
    model::parallel(owner, visitor(0), visitor(1));
    all.check_at_end();
}

template <class Reclaimer, bool MovesMayThrow = false>
struct blaze_kit {
    using task = numbered_task<1, MovesMayThrow>;
    using scheduler = teff::blaze_scheduler<task, Reclaimer>;
    static teff::scheduler_settings settings(unsigned slots) noexcept {
        teff::scheduler_settings chosen;
        chosen.slots = slots;
        chosen.block_size = 2;
        chosen.epoch_threshold = 1;
        return chosen;
    }
};
using epoch_kit = blaze_kit<teff::epoch_reclaimer>;
using hazard_kit = blaze_kit<teff::hazard_reclaimer>;
using single_kit = blaze_kit<teff::epoch_reclaimer, true>;

// Two chains of items run through block after block of their owner, until it fills the first blocks again, while a
// thief is inside or still moves an item out.
template <class Kit>
void blocks_are_used_again() {
    static constexpr unsigned items = 14;
    const auto run = [](auto& self, unsigned number) {
        if (number + 2 < items)
            self.push(number + 2);
    };
    test_team<Kit, decltype(run)> team(Kit::settings(2), items, run);
    auto first = team.enter_caller();
    first.push(0);
    first.push(1);
    team.work_and_check(first, [&] { team.visit(1); });
}

// A thief takes half of a block of four at once. The items that it keeps are its own, and may be stolen from it. Where
// a move may throw, it takes one item at a time.
template <class Kit>
void a_block_of_four_is_shared() {
    const auto run = pushes<1, 4>;
    teff::scheduler_settings settings = Kit::settings(3);
    settings.block_size = 4;
    test_team<Kit, decltype(run)> team(settings, 5, run);
    auto first = team.enter_caller();
    for (const unsigned number : {0U, 1U, 2U, 3U})
        first.push(number);
    const auto thief = [&] { team.visit(2); };
    team.work_and_check(first, thief, thief);
}

// Refused children run inside their parent. Children that are refused inside of these are accepted without regard to
// the bound.
TEFF_SCENARIO(blaze, refused_children_run_at_once) {
    const auto run = [](auto& self, unsigned number) {
        if (number == 0) {
            for (const unsigned child : {1U, 2U, 3U})
                self.push(child);
        } else if (number == 3) {
            self.push(4);
        }
    };
    teff::scheduler_settings settings = epoch_kit::settings(2);
    settings.max_queued = 2;
    test_team<epoch_kit, decltype(run)> team(settings, 5, run);
    auto first = team.enter_caller();
    first.push(0);
    team.work_and_check(first, [&] { team.visit(2); });
}

// One task pushes until another member has taken the first child. A member that sleeps because it saw no item has armed
// the mark, so a later push wakes it.
TEFF_SCENARIO(blaze, owner_calls_a_sleeper) {
    teff::atomic<bool> helped{false};
    const auto run = [&](auto& self, unsigned number) {
        if (number == 1)
            helped.store(true, std::memory_order_relaxed);
        if (number != 0)
            return;
        self.push(1);
        while (!helped.load(std::memory_order_relaxed)) {
            self.push(nameless);
            model::yield();
        }
    };
    test_team<epoch_kit, decltype(run)> team(epoch_kit::settings(2), 2, run);
    auto first = team.enter_caller();
    first.push(0);
    auto second = team.enter_worker(decltype(team)::wait_mode::sleeps);
    team.work_and_check(first, [&] { second.stay(); });
}

// The team of a process's parent stays orphaned in the child.
TEFF_SCENARIO(blaze, a_cancelled_orphan_stays_one) {
    teff::stop_state state;
    state.orphan();
    state.cancel();
    model::check(state.is_orphaned(), "an orphaned team was cancelled");
}

TEFF_SCENARIO(blaze, tree_is_shared_and_the_end_seen_by_all) { tree_is_shared<epoch_kit>(); }
TEFF_SCENARIO(blaze, tree_with_hazard_pointers) { tree_is_shared<hazard_kit>(); }
TEFF_SCENARIO(blaze, blocks_are_used_again_with_epochs) { blocks_are_used_again<epoch_kit>(); }
TEFF_SCENARIO(blaze, blocks_are_used_again_with_hazard_pointers) { blocks_are_used_again<hazard_kit>(); }
TEFF_SCENARIO(blaze, half_a_block_is_stolen_at_once) { a_block_of_four_is_shared<epoch_kit>(); }
TEFF_SCENARIO(blaze, one_item_is_stolen_where_moves_may_throw) { a_block_of_four_is_shared<single_kit>(); }
TEFF_SCENARIO(blaze, members_come_and_go) { members_come_and_go<epoch_kit>(); }
TEFF_SCENARIO(blaze, cancel_while_items_run) { cancel_while_items_run<epoch_kit>(); }
TEFF_SCENARIO(blaze, cancel_meets_reset_mark) { cancel_meets_reset_marks<epoch_kit>(); }
TEFF_SCENARIO(blaze, cancel_meets_entering_member) { cancel_meets_entering_member<epoch_kit>(); }
TEFF_SCENARIO(blaze, request_meets_reset_mark) { request_meets_reset_marks<epoch_kit>(); }
TEFF_SCENARIO(blaze, sleeping_caller_is_told_the_end) { sleeping_caller_is_told_the_end<epoch_kit>(); }
TEFF_SCENARIO(blaze, the_nearest_member_is_robbed_first) { the_nearest_member_is_robbed_first<epoch_kit>(); }

}  // namespace

std::span<const model::scenario> consensus_scenarios() { return defined_here; }

}  // namespace scenarios
