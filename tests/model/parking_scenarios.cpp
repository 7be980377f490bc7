// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that sleep: the mutex, and the event counts that tell publishers which threads to wake. The spin lock, which
// keeps no thread asleep, has the mutex's scenarios.
//
// Work is a `board` of numbered items. Each item is an atomic flag without order. So only the fences of the event count
// prevent a publisher from seeing no sleeper while the sleeper sees no item. A lost wake-up leaves a thread asleep
// after all others have ended, which the checker reports as a deadlock. Therefore in every scenario each sleeper has an
// item to wait for, or an end that another thread announces.
//
// The searchers here follow team::search() and pool::search(): they look around, leave the search, then announce the
// sleep and look again. A thread that found something looks, after a fence of its own, whether there is more, and wakes
// the next one.
#include "definition.hpp"

#include <teff/base/allocation.hpp>
#include <teff/base/locks.hpp>
#include <teff/scheduler/idle_tracker.hpp>

namespace scenarios {
namespace {

// Ordinary memory protected by a mutex or a spin lock.
template <class Lock>
struct account {
    Lock door;
    unsigned balance = 0;
    unsigned users = 0;

    void deposit() {
        const teff::scoped_lock lock(door);
        ++balance;
    }
};

template <class Lock>
void a_lock_excludes_three_threads() {
    account<Lock> shared;
    const auto deposit = [&] { shared.deposit(); };
    model::parallel(deposit, deposit, deposit);
    model::check(shared.balance == 3, "two threads held the lock at once");
}

// Two threads lock again while another one holds the lock or waits: "contended" must last as long as a thread sleeps.
template <class Lock>
void a_contended_lock_is_handed_over() {
    account<Lock> shared;
    const auto deposit_twice = [&] {
        shared.deposit();
        shared.deposit();
    };
    const auto deposit = [&] { shared.deposit(); };
    model::parallel(deposit_twice, deposit_twice, deposit);
    model::check(shared.balance == 5, "two threads held the lock at once");
}

template <class Lock>
void try_lock_holds_or_leaves_alone() {
    account<Lock> shared;
    unsigned refused = 0;
    model::parallel(
        [&] {
            const teff::scoped_lock lock(shared.door);
            ++shared.balance;
        },
        [&] {
            for (int i = 0; i < 2; ++i) {
                if (!shared.door.try_lock()) {
                    ++refused;
                    continue;
                }
                ++shared.balance;
                shared.door.unlock();
            }
        });
    model::check(shared.balance + refused == 3, "try_lock() lied");
    model::check(shared.door.try_lock(), "a free lock was refused");
    shared.door.unlock();
}

// The last thread to leave frees the mutex, while the one before it may still be waking another thread.
template <class Lock>
void the_last_holder_frees_the_lock() {
    auto* const shared = teff::create<account<Lock>>();
    model::check(shared != nullptr, "no memory for a lock");
    shared->users = 3;
    const auto leave = [&] {
        bool last = false;
        {
            const teff::scoped_lock lock(shared->door);
            last = --shared->users == 0;
        }
        if (last)
            teff::destroy(shared);
    };
    model::parallel(leave, leave, leave);
}

// As when a fiber is left: the thread that goes on with other work releases the lock. (It learns here by an atomic word
// that the lock is its own now.)
TEFF_SCENARIO(spin_lock, a_lock_is_released_by_another_thread) {
    account<teff::spin_lock> shared;
    teff::atomic<bool> given{false};
    model::parallel(
        [&] {
            shared.door.lock();
            shared.balance = 1;
            // relaxed: only the lock orders what comes after it.
            given.store(true, std::memory_order_relaxed);
        },
        [&] {
            // relaxed: see above.
            model::wait_until([&] { return given.load(std::memory_order_relaxed); });
            shared.door.unlock();
        },
        [&] {
            const teff::scoped_lock lock(shared.door);
            ++shared.users;
        });
    model::check(shared.users == 1, "the lock was not released");
}

// Visible items; the board itself orders nothing.
template <unsigned Items>
class board {
public:
    void publish(unsigned number) noexcept { items_[number].store(1, std::memory_order_relaxed); }
    bool has_visible() const noexcept {
        for (const auto& each : items_) {
            if (each.load(std::memory_order_relaxed) != 0)
                return true;
        }
        return false;
    }
    // Takes one item, if it sees any.
    bool take() noexcept {
        for (unsigned number = 0; number < Items; ++number) {
            if (items_[number].load(std::memory_order_relaxed) != 0 &&
                items_[number].exchange(0, std::memory_order_relaxed) != 0) {
                model::take(number);
                return true;
            }
        }
        return false;
    }

private:
    teff::atomic<unsigned> items_[Items];
};

// One attempt of a searcher to sleep.
template <class Ready>
void sleep_unless(teff::event_count& members, Ready&& ready) {
    const std::uint32_t ticket = members.prepare_sleep();
    if (ready())
        members.cancel_sleep();
    else
        members.sleep(ticket);
}

template <unsigned Items>
void publish(board<Items>& work, unsigned item, teff::event_count& members) {
    work.publish(item);
    members.notify_one();
}

// Searches and sleeps until it has taken an item.
template <unsigned Items>
void take_one(teff::event_count& members, board<Items>& work) {
    members.begin_search();
    while (!work.take())
        sleep_unless(members, [&] { return work.has_visible(); });
    members.end_search();
}

// A thread that found something wakes the next one.
template <unsigned Items>
void pass_on(teff::event_count& members, const board<Items>& work) {
    // seq_cst: as in pool::join_some(); partner: the fence in event_count::prepare_sleep().
    teff::atomic_thread_fence(std::memory_order_seq_cst);
    if (work.has_visible())
        members.notify_one();
}
template <unsigned Items>
void pass_on(teff::idle_tracker& team, const board<Items>& work) {
    // seq_cst: as in team::search(); partner as above.
    teff::atomic_thread_fence(std::memory_order_seq_cst);
    if (team.any() && work.has_visible())
        team.work_visible();
}

// Takes an item and wakes the next thread: by the event count that it searched in, or by what the team knows.
template <class Callers, unsigned Items>
void take_one_and_pass_on(teff::event_count& searched, Callers& callers, board<Items>& work) {
    take_one(searched, work);
    pass_on(callers, work);
}

TEFF_SCENARIO(event_count, an_item_reaches_the_only_sleeper) {
    teff::event_count members;
    board<1> work;
    model::parallel(
        [&] { publish(work, 0, members); },
        [&] { take_one(members, work); });
    model::expect_taken_once(1);
}

// Both publishers may see the same sleeper; the other sleeper must not be forgotten.
TEFF_SCENARIO(event_count, two_publishers_reach_two_sleepers) {
    teff::event_count members;
    board<2> work;
    const auto sleeper = [&] { take_one_and_pass_on(members, members, work); };
    model::parallel(
        [&] { publish(work, 0, members); },
        [&] { publish(work, 1, members); },
        sleeper, sleeper);
    model::expect_taken_once(2);
    model::check(members.idle() == 0, "somebody is still counted as idle");
}

// The sleeper comes back for a second item: the wake-up for the first must not use up the wake-up for the second.
TEFF_SCENARIO(event_count, a_sleeper_comes_back) {
    teff::event_count members;
    board<2> work;
    model::parallel(
        [&] {
            work.publish(0);
            members.notify_one();
            work.publish(1);
            members.notify_one();
        },
        [&] {
            take_one(members, work);
            take_one(members, work);
        });
    model::expect_taken_once(2);
}

TEFF_SCENARIO(event_count, notify_all_ends_every_sleep) {
    teff::event_count members;
    teff::atomic<bool> over{false};
    const auto is_over = [&] { return over.load(std::memory_order_relaxed); };
    const auto sleeper = [&] {
        members.begin_search();
        while (!is_over())
            sleep_unless(members, is_over);
        members.end_search();
    };
    model::parallel(
        [&] {
            over.store(true, std::memory_order_relaxed);
            members.notify_all();
        },
        sleeper, sleeper);
}

// One thread announces two stages, and the sleeper waits for the second one. A call of another thread, which does not
// concern the sleeper, is late. It must not give the event the value again that the sleeper has read between the two.
TEFF_SCENARIO(event_count, a_late_call_hides_no_newer_one) {
    teff::event_count members;
    teff::atomic<unsigned> stage{0};
    const auto advance = [&](unsigned to) {
        // relaxed: ordered by the fence in notify_all().
        stage.store(to, std::memory_order_relaxed);
        members.notify_all();
    };
    model::parallel([&] { members.notify_all(); },
                    [&] {
                        advance(1);
                        advance(2);
                    },
                    [&] {
                        members.begin_search();
                        // relaxed: ordered by the fence in prepare_sleep().
                        while (stage.load(std::memory_order_relaxed) != 2)
                            sleep_unless(members, [&] { return stage.load(std::memory_order_relaxed) == 2; });
                        members.end_search();
                    });
}

// The publisher wakes no thread because it sees a searcher, which takes only one of the two items.
TEFF_SCENARIO(event_count, a_searcher_that_found_one_calls_the_next) {
    teff::event_count members;
    board<2> work;
    model::parallel(
        [&] {
            for (const unsigned number : {0U, 1U}) {
                work.publish(number);
                members.notify_one();
            }
        },
        [&] { take_one_and_pass_on(members, members, work); },
        [&] { take_one_and_pass_on(members, members, work); });
    model::expect_taken_once(2);
}

// Each of two searchers that find something at once may take the other for one that goes on searching. So may the
// thread that publishes a third item.
TEFF_SCENARIO(event_count, two_searchers_do_not_rely_on_each_other) {
    teff::event_count members;
    board<3> work;
    const auto searcher = [&] { take_one_and_pass_on(members, members, work); };
    work.publish(0);
    work.publish(1);
    model::parallel(
        [&] { publish(work, 2, members); },
        searcher, searcher, searcher);
    model::expect_taken_once(3);
}

// Two items, one notification: the thread that was woken wakes the next one.
TEFF_SCENARIO(event_count, one_call_wakes_a_chain_of_sleepers) {
    teff::event_count members;
    board<2> work;
    const auto sleeper = [&] { take_one_and_pass_on(members, members, work); };
    model::parallel(
        [&] {
            work.publish(0);
            work.publish(1);
            members.notify_one();
        },
        sleeper, sleeper);
    model::expect_taken_once(2);
}

constexpr unsigned one_slot = 1;

template <unsigned Items>
void publish(teff::idle_tracker& team, board<Items>& work, unsigned number) {
    work.publish(number);
    team.work_visible();
}

TEFF_SCENARIO(idle_tracker, an_item_reaches_a_worker_outside) {
    teff::event_count outside;
    teff::idle_tracker team(outside, one_slot);
    board<1> work;
    model::parallel([&] { publish(team, work, 0); }, [&] { take_one(outside, work); });
    model::expect_taken_once(1);
}

// The caller asleep inside the team is woken for the first item, and takes the second notification, too, while it is
// still on its way. It passes that one on.
TEFF_SCENARIO(idle_tracker, a_member_inside_calls_the_worker_outside) {
    teff::event_count outside;
    teff::idle_tracker team(outside, one_slot);
    board<2> work;
    model::parallel(
        [&] {
            publish(team, work, 0);
            publish(team, work, 1);
        },
        [&] { take_one_and_pass_on(team.members(), team, work); },
        [&] { take_one_and_pass_on(outside, team, work); });
    model::expect_taken_once(2);
}

// A worker that joins a team counts as searching there before it leaves the event count outside.
template <unsigned Items>
bool visit(teff::event_count& outside, teff::idle_tracker& team, board<Items>& work) {
    team.slot_taken();
    outside.begin_visit();
    const bool found = work.take();
    if (found) {
        team.members().end_search();
        outside.begin_work();
        pass_on(team, work);
        team.members().begin_search();
        outside.end_work();
    }
    outside.end_visit();
    team.slot_freed();
    return found;
}

// A member finds nothing, gives its slot back and goes to sleep outside, while the publisher of an item relies on its
// search.
TEFF_SCENARIO(idle_tracker, a_member_that_gives_up_is_found_outside) {
    teff::event_count outside;
    teff::idle_tracker team(outside, one_slot);
    board<1> work;
    outside.expect(1);
    model::parallel([&] { publish(team, work, 0); },
                    [&] {
                        while (!visit(outside, team, work))
                            sleep_unless(outside, [&] { return work.has_visible(); });
                    });
    model::expect_taken_once(1);
}

// A worker without an item is on its way between pool and team; a member that looks for an idle thread must see it.
TEFF_SCENARIO(idle_tracker, a_worker_on_its_way_is_seen) {
    teff::event_count outside;
    teff::idle_tracker team(outside, one_slot);
    board<1> nothing;
    outside.expect(1);
    model::parallel([&] { model::check(team.any(), "a worker without work was overlooked"); },
                    [&] {
                        for (int times = 0; times < 2; ++times)
                            model::check(!visit(outside, team, nothing), "there is nothing to take");
                    });
    model::check(team.count() == 1, "the worker is counted wrongly at the end");
}

// The same for a worker that had an item: from the moment it has run dry it is seen, inside the team and after it has
// left.
TEFF_SCENARIO(idle_tracker, a_worker_that_ran_dry_is_seen) {
    teff::event_count outside;
    teff::idle_tracker team(outside, one_slot);
    teff::atomic<bool> dry{false};
    outside.expect(1);
    model::parallel(
        [&] {
            // acquire: sees that the worker has run dry; partner: the release below.
            if (dry.load(std::memory_order_acquire))
                model::check(team.any(), "a worker that ran dry was overlooked");
        },
        [&] {
            team.slot_taken();
            outside.begin_visit();
            team.members().end_search();
            outside.begin_work();
            team.members().begin_search();
            // release: the worker has run dry; partner: the acquire above.
            dry.store(true, std::memory_order_release);
            outside.end_work();
            outside.end_visit();
            team.slot_freed();
        });
}

// Ends as many short bursts as make the team quiet at its next one. Returns a later time.
std::int64_t end_short_bursts(teff::idle_tracker& team) {
    std::int64_t now = 1;
    for (int i = 0; i < 16; ++i) {
        team.begin_burst(++now, false);
        team.end_burst(++now, false);
    }
    return now + 1;
}

// In a quiet team a publisher wakes nobody, so a member that will sleep ends the quiet first.
TEFF_SCENARIO(idle_tracker, a_member_of_a_quiet_team_is_woken) {
    teff::event_count outside;
    teff::idle_tracker team(outside, one_slot);
    board<1> work;
    team.begin_burst(end_short_bursts(team), false);
    model::parallel([&] { publish(team, work, 0); },
                    [&] {
                        team.members().begin_search();
                        while (!work.take()) {
                            team.bursts().end_quiet();
                            sleep_unless(team.members(), [&] { return work.has_visible(); });
                        }
                        team.members().end_search();
                    });
    model::expect_taken_once(1);
}

// Somebody has to watch a quiet team.
TEFF_SCENARIO(idle_tracker, a_worker_that_will_sleep_learns_that_a_team_becomes_quiet) {
    teff::event_count outside;
    teff::idle_tracker team(outside, one_slot);
    const std::int64_t now = end_short_bursts(team);
    model::parallel([&] { team.begin_burst(now, false); },
                    [&] {
                        outside.begin_search();
                        while (!team.bursts().is_quiet())
                            sleep_unless(outside, [&] { return team.bursts().is_quiet(); });
                        outside.end_search();
                    });
}

// The worker that ends the quiet no longer watches. So the team is quiet afterwards only if its caller has called a
// worker again.
TEFF_SCENARIO(idle_tracker, the_end_of_a_quiet_is_not_undone) {
    teff::event_count outside;
    teff::idle_tracker team(outside, one_slot);
    const std::int64_t now = end_short_bursts(team);
    model::check(team.bursts().begin(now, true), "the team did not become quiet");
    team.end_burst(now + 1, false);
    bool calls = false;
    model::parallel([&] { calls = team.bursts().begin(now + 2, true); }, [&] { team.bursts().end_quiet(); });
    model::check(calls || !team.bursts().is_quiet(), "the team is quiet, and nobody watches");
}

// The only worker joins for one item and leaves; the second item comes meanwhile. The caller sleeps until both are
// done.
TEFF_SCENARIO(idle_tracker, the_caller_sleeps_while_the_worker_comes_twice) {
    teff::event_count outside;
    teff::idle_tracker team(outside, one_slot);
    board<2> work;
    teff::atomic<unsigned> done{0};
    const auto is_done = [&] { return done.load(std::memory_order_relaxed) == 2; };
    outside.expect(1);
    model::parallel(
        [&] {
            publish(team, work, 0);
            publish(team, work, 1);
            team.members().begin_search();
            while (!is_done())
                sleep_unless(team.members(), is_done);
            team.members().end_search();
        },
        [&] {
            for (int times = 0; times < 2; ++times) {
                while (!visit(outside, team, work))
                    sleep_unless(outside, [&] { return work.has_visible(); });
                if (done.fetch_add(1, std::memory_order_relaxed) == 1)
                    team.members().notify_all();
            }
        });
    model::check(team.count() == 1, "the worker alone is idle at the end");
    model::expect_taken_once(2);
}

TEFF_SCENARIO(mutex, a_lock_excludes_three_threads) { a_lock_excludes_three_threads<teff::mutex>(); }
TEFF_SCENARIO(mutex, a_contended_lock_is_handed_over) { a_contended_lock_is_handed_over<teff::mutex>(); }
TEFF_SCENARIO(mutex, try_lock_holds_or_leaves_alone) { try_lock_holds_or_leaves_alone<teff::mutex>(); }
TEFF_SCENARIO(mutex, the_last_holder_frees_the_lock) { the_last_holder_frees_the_lock<teff::mutex>(); }
TEFF_SCENARIO(spin_lock, a_lock_excludes_three_threads) { a_lock_excludes_three_threads<teff::spin_lock>(); }
TEFF_SCENARIO(spin_lock, a_contended_lock_is_handed_over) { a_contended_lock_is_handed_over<teff::spin_lock>(); }
TEFF_SCENARIO(spin_lock, try_lock_holds_or_leaves_alone) { try_lock_holds_or_leaves_alone<teff::spin_lock>(); }
TEFF_SCENARIO(spin_lock, the_last_holder_frees_the_lock) { the_last_holder_frees_the_lock<teff::spin_lock>(); }

}  // namespace

std::span<const model::scenario> parking_scenarios() { return defined_here; }

}  // namespace scenarios
