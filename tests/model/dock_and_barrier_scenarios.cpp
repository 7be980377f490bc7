// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a region, each alone: the barrier that runs tasks, and the dock where workers wait between regions.
//
// For the barrier, mailboxes with room for one task replace the queues. A mailbox orders what came before the task was
// put in, and nothing else. A member looks whether the barrier can be opened when it runs dry, and not again while it
// waits, so a missing opening is a livelock. What a member or a task leaves is ordinary memory that all members read
// after the barrier.
#include "mailbox.hpp"
#include "definition.hpp"

#include <teff/base/allocation.hpp>
#include <teff/scheduler/termination_detector.hpp>
#include <teff/team/dock.hpp>
#include <teff/team/region_barriers.hpp>

#include <atomic>

namespace scenarios {
namespace {

constexpr long spin_us = 10;  // one look at the model's clock
constexpr unsigned group_bits = 1;  // so that three members have two levels of nodes

// Up to three members that meet at a barrier, with an account each.
class barrier_team {
public:
    explicit barrier_team(unsigned size) : size_(size), barrier_(size, group_bits) {}

    void push(unsigned member, unsigned task) {
        accounts_[member].count_push();
        boxes_[task].put(task);
    }
    // For a thread that is not a member.
    void inject(unsigned task) {
        // relaxed: the mailbox publishes it with the task.
        injected_.fetch_add(1, std::memory_order_relaxed);
        boxes_[task].put(task);
    }
    // Runs the task in that mailbox, if there is one; next(task) may push further tasks.
    template <class Next>
    bool run_from(unsigned box, unsigned member, Next&& next) {
        unsigned task = 0;
        if (!boxes_[box].take(task))
            return false;
        model::take(task);
        done_[task] = 1;
        next(task);
        accounts_[member].count_run();
        return true;
    }

    void write(unsigned member, unsigned value) noexcept { written_[member] = value; }
    void expect_written(unsigned value) const noexcept {
        for (unsigned i = 0; i < size_; ++i)
            model::check(written_[i] == value, "what a member left before the barrier is not there");
    }
    void expect_done(unsigned tasks) const noexcept {
        for (unsigned i = 0; i < tasks; ++i)
            model::check(done_[i] == 1, "the barrier was opened before a task had run");
    }

    // The member arrives, looks, and waits. Meanwhile run_some() runs the tasks that come into its mailbox, if it has
    // one.
    void meet(unsigned member) { meet(member, [] { return false; }); }
    template <class RunSome>
    void meet(unsigned member, RunSome&& run_some) {
        const teff::region_barrier::arrival mine = barrier_.arrive(member, size_);
        const teff::wait_condition awaited = barrier_.condition_for(mine.awaited);
        // As in task_member_of::wait_at_barrier().
        if (mine.is_last && look())
            return;
        do
            look();
        while (!wait(awaited, run_some));
    }
    bool look() {
        return barrier_.try_open(size_, [this] {
            return teff::termination_detector::all_ran([this](unsigned i) -> const auto& { return accounts_[i]; },
                                        [this] { return size_; },
                                        // relaxed: ordered by the mailbox.
                                        [this] { return injected_.load(std::memory_order_relaxed); });
        });
    }

private:
    // True: the barrier is open. False: a task was run, so there is reason for another look.
    template <class RunSome>
    bool wait(const teff::wait_condition& awaited, RunSome&& run_some) {
        bool has_run = false;
        model::wait_until([&] { return awaited.is_met() || (has_run = run_some()); });
        return !has_run;
    }

    const unsigned size_;
    teff::region_barrier barrier_;
    teff::termination_detector::account accounts_[3];
    teff::atomic<std::uint64_t> injected_{0};
    mailbox boxes_[3];
    unsigned written_[3] = {};
    unsigned done_[3] = {};
};

// A member that has passed the barrier may be at the next one while others have not looked at this one yet.
template <unsigned Size, unsigned Rounds>
void members_meet_again_and_again() {
    barrier_team all(Size);
    const auto member = [&all](unsigned number) {
        return [&all, number] {
            for (unsigned round = 1; round <= Rounds; ++round) {
                all.write(number, round);
                all.meet(number);
                all.expect_written(round);
                // No member writes for the next round before all have read.
                all.meet(number);
            }
        };
    };
    if constexpr (Size == 2)
        model::parallel(member(0), member(1));
    else
        model::parallel(member(0), member(1), member(2));
}

// A member is late to look at a barrier that another member has opened; this look does not open the next barrier.
TEFF_SCENARIO(dock_and_barrier, a_late_look_opens_nothing) {
    barrier_team all(2);
    teff::atomic<unsigned> through{0};
    const auto member = [&](unsigned number) {
        return [&, number] {
            all.write(number, 1);
            all.meet(number);
            all.expect_written(1);
            // relaxed: only compared.
            const unsigned before = through.fetch_add(1, std::memory_order_relaxed);
            // The first one through arrives alone.
            all.look();
            all.meet(number);
            model::check(before == 1 || through.load(std::memory_order_relaxed) == 2, "a barrier was opened for one");
        };
    };
    model::parallel(member(0), member(1));
}

// The task ends while both members arrive; its runner may be the last to arrive, or the first.
TEFF_SCENARIO(dock_and_barrier, the_last_task_ends_while_others_arrive) {
    barrier_team all(2);
    all.push(0, 0);
    const auto nothing = [](unsigned) {};
    const auto runner = [&] {
        all.write(1, 1);
        all.meet(1, [&] { return all.run_from(0, 1, nothing); });
        all.expect_done(1);
        all.expect_written(1);
    };
    const auto other = [&] {
        all.write(0, 1);
        all.meet(0);
        all.expect_done(1);
        all.expect_written(1);
    };
    model::parallel(runner, other);
    model::expect_taken_once(1);
}

// A task's child runs on the member that had run dry before.
TEFF_SCENARIO(dock_and_barrier, a_child_keeps_the_barrier_closed) {
    barrier_team all(2);
    const auto first = [&] {
        all.write(0, 1);
        all.push(0, 0);
        all.meet(0, [&] { return all.run_from(1, 0, [](unsigned) {}); });
        all.expect_done(2);
        all.expect_written(1);
    };
    const auto second = [&] {
        all.write(1, 1);
        all.meet(1, [&] { return all.run_from(0, 1, [&](unsigned) { all.push(1, 1); }); });
        all.expect_done(2);
        all.expect_written(1);
    };
    model::parallel(first, second);
    model::expect_taken_once(2);
}

// Each of three members has a task that another member runs.
TEFF_SCENARIO(dock_and_barrier, three_members_run_each_other_s_tasks) {
    barrier_team all(3);
    const auto member = [&all](unsigned number) {
        return [&all, number] {
            all.write(number, 1);
            all.push(number, number);
            all.meet(number, [&] { return all.run_from((number + 1) % 3, number, [](unsigned) {}); });
            all.expect_done(3);
            all.expect_written(1);
        };
    };
    model::parallel(member(0), member(1), member(2));
    model::expect_taken_once(3);
}

// The task of a thread that is not a member. One of the members waits for the injection before it arrives.
TEFF_SCENARIO(dock_and_barrier, a_task_from_outside_keeps_the_barrier_closed) {
    barrier_team all(2);
    teff::atomic<bool> told{false};
    const auto outsider = [&] {
        all.inject(0);
        // release: publishes the injection; partner: the acquire below.
        told.store(true, std::memory_order_release);
    };
    const auto waiting = [&] {
        // acquire: sees the injection; partner: the release above.
        model::wait_until([&] { return told.load(std::memory_order_acquire); });
        all.meet(0);
        all.expect_done(1);
    };
    const auto runner = [&] {
        all.meet(1, [&] { return all.run_from(0, 1, [](unsigned) {}); });
        all.expect_done(1);
    };
    model::parallel(outsider, waiting, runner);
    model::expect_taken_once(1);
}

// Two members of a region that may be cancelled. Both barriers have no tasks to wait for.
class cancellable_team {
public:
    explicit cancellable_team(unsigned size = 2) : barriers_(size, group_bits) { barriers_.prepare(size); }

    void write(unsigned member, unsigned value) noexcept { written_[member] = value; }
    void expect_written(unsigned member, unsigned value) const noexcept {
        model::check(written_[member] == value, "what a member left before the barrier is not there");
    }
    // True: the region is cancelled.
    bool meet(unsigned member) {
        if (!barriers_.is_given_up())
            wait(barriers_.arrive_inside(member));
        return barriers_.is_given_up();
    }
    void cancel() noexcept { barriers_.give_up(); }
    void end_region(unsigned member) { wait(barriers_.end_condition(barriers_.arrive_at_end(member).awaited)); }
    void prepare(unsigned size) noexcept { barriers_.prepare(size); }

private:
    void wait(const teff::wait_condition& awaited) {
        barriers_.try_open([] { return true; });
        model::wait_until([&] { return awaited.is_met(); });
    }

    teff::region_barriers barriers_;
    unsigned written_[2] = {};
};

TEFF_SCENARIO(dock_and_barrier, members_meet_at_cancellable_barriers) {
    cancellable_team all;
    const auto member = [&all](unsigned number) {
        return [&all, number] {
            for (unsigned round = 1; round <= 2; ++round) {
                all.write(number, round);
                model::check(!all.meet(number), "a region was cancelled by nobody");
                all.expect_written(1 - number, round);
                all.meet(number);
            }
        };
    };
    model::parallel(member(0), member(1));
}

// One member cancels while the other one comes to the barrier and waits at it. Both reach the end, and the barrier
// works in the next region.
template <unsigned Meetings>
void a_member_that_waits_is_released_by_a_cancellation() {
    cancellable_team all;
    const auto next_region = [&all](unsigned number) {
        all.write(number, 2);
        model::check(!all.meet(number), "the next region is cancelled, too");
        all.expect_written(1 - number, 2);
        all.end_region(number);
    };
    model::parallel(
        [&] {
            for (unsigned i = 0; i < Meetings; ++i)
                model::check(!all.meet(0), "a region was cancelled too early");
            all.write(0, 1);
            all.cancel();
            all.end_region(0);
            all.prepare(2);
            all.end_region(0);
            next_region(0);
        },
        [&] {
            for (unsigned i = 0; i <= Meetings; ++i) {
                if (all.meet(1)) {
                    all.expect_written(0, 1);
                    break;
                }
                model::check(i < Meetings, "the barrier was opened for one");
            }
            all.end_region(1);
            all.end_region(1);
            next_region(1);
        });
}

// The next region has one member. The other one, which has cancelled the last region, may still look at the barriers
// while the caller prepares it.
TEFF_SCENARIO(dock_and_barrier, a_late_look_opens_nothing_in_a_smaller_region) {
    cancellable_team all;
    teff::atomic<bool> has_left{false};
    model::parallel(
        [&] {
            model::check(all.meet(0), "the barrier was opened for one");
            all.end_region(0);
            all.prepare(1);
            // acquire, as the dock's: the other member has left; partner: the release below.
            model::wait_until([&] { return has_left.load(std::memory_order_acquire); });
            model::check(!all.meet(0), "the next region is cancelled, too");
            all.end_region(0);
        },
        [&] {
            all.cancel();
            all.end_region(1);
            // release, as the dock's; partner: the acquire above.
            has_left.store(true, std::memory_order_release);
        });
}

// The same in three regions. All three members take part in the first region, which the last member cancels; the first
// two take part in the second region, and all in the third.
TEFF_SCENARIO(dock_and_barrier, late_looks_open_nothing_in_smaller_and_larger_regions) {
    cancellable_team all(3);
    teff::atomic<unsigned> resized{0}, done{0};
    // The caller does this between two regions: as with the dock, each member carries the order out and says so.
    const auto resize = [&](unsigned order, unsigned size) {
        all.prepare(size);
        // release, and acquire below: as the dock's; partners: those in obey().
        resized.store(order, std::memory_order_release);
        model::wait_until([&] { return done.load(std::memory_order_acquire) == 2 * order; });
    };
    const auto obey = [&](unsigned order) {
        // acquire, release: as in resize().
        model::wait_until([&] { return resized.load(std::memory_order_acquire) == order; });
        done.fetch_add(1, std::memory_order_release);
    };
    const auto meet_uncancelled = [&](unsigned member) {
        model::check(!all.meet(member), "the next region is cancelled, too");
        all.end_region(member);
    };
    model::parallel(
        [&] {
            model::check(all.meet(0), "the barrier was opened for two");
            all.end_region(0);
            resize(1, 2);
            meet_uncancelled(0);
            resize(2, 3);
            meet_uncancelled(0);
        },
        [&] {
            model::check(all.meet(1), "the barrier was opened for two");
            all.end_region(1);
            obey(1);
            meet_uncancelled(1);
            obey(2);
            meet_uncancelled(1);
        },
        [&] {
            all.cancel();
            all.end_region(2);
            obey(1);
            obey(2);
            meet_uncancelled(2);
        });
}

// A caller and its workers, all of them threads of the scenario. What the caller leaves for a worker, and a worker for
// the caller, is ordinary memory.
class docked {
public:
    explicit docked(unsigned slots) : dock_(slots), barrier_(slots, group_bits), slots_(slots), size_(slots) {}

    teff::dock& dock() noexcept { return dock_; }

    void resize(unsigned size) {
        size_ = size;
        dock_.release(slots_, {.what = teff::dock::order::resize});
        dock_.await_done(spin_us);
        expect_answers(size, slots_);
    }
    void run(unsigned number) {
        dock_.release(size_, {.what = teff::dock::order::run, .argument = &numbers_[number]});
        meet(0);
        expect_answers(number, size_);
    }
    void leave() { dock_.release(slots_, {.what = teff::dock::order::leave}); }

    // Runs in a worker, until it is told to leave.
    void work(unsigned slot) {
        dock_.done();
        bool takes_part = true;
        for (unsigned carried_out = 0;;) {
            const teff::dock::command given = dock_.wait(slot, carried_out, spin_us, takes_part);
            switch (given.what) {
            case teff::dock::order::run:
                answers_[slot] = *static_cast<const unsigned*>(given.argument);
                meet(slot);
                break;
            case teff::dock::order::resize:
                answers_[slot] = size_;
                takes_part = slot < size_;
                dock_.done();
                break;
            case teff::dock::order::leave:
                return;
            case teff::dock::order::none:
                model::fail("a worker was released without an order");
            }
        }
    }

private:
    void meet(unsigned member) {
        // Read before the arrival, since the caller may write another size after the barrier.
        const unsigned size = size_;
        const teff::wait_condition awaited = barrier_.condition_for(barrier_.arrive(member, size).awaited);
        barrier_.try_open(size, [] { return true; });
        model::wait_until([&] { return awaited.is_met(); });
    }
    void expect_answers(unsigned number, unsigned end) const noexcept {
        for (unsigned slot = 1; slot < end; ++slot)
            model::check(answers_[slot] == number, "an order was not carried out, or it is not known");
    }

    teff::dock dock_;
    teff::region_barrier barrier_;
    const unsigned slots_;
    // the caller writes, between orders
    unsigned size_;
    unsigned numbers_[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    // each worker writes its own
    unsigned answers_[3] = {};
};

// The worker is about to sleep when the caller releases it.
TEFF_SCENARIO(dock_and_barrier, a_release_finds_a_worker_that_goes_to_sleep) {
    docked all(2);
    all.dock().expect(1);
    model::parallel(
        [&] {
            all.dock().await_done(spin_us);
            all.run(7);
            all.run(8);
            all.leave();
        },
        [&] { all.work(1); });
}

// A worker that is not in the smaller region stays asleep and keeps its slot.
TEFF_SCENARIO(dock_and_barrier, a_smaller_and_a_larger_region_between_two) {
    docked all(3);
    all.dock().expect(2);
    model::parallel(
        [&] {
            all.dock().await_done(spin_us);
            all.resize(2);
            all.run(7);
            all.resize(3);
            all.run(8);
            all.leave();
        },
        [&] { all.work(1); }, [&] { all.work(2); });
}

// One of the workers that were announced does not come.
TEFF_SCENARIO(dock_and_barrier, fewer_come_than_were_expected) {
    docked all(2);
    all.dock().expect(2);
    model::parallel(
        [&] {
            all.dock().lower_expected(1);
            all.dock().await_done(spin_us);
            all.run(7);
            all.leave();
        },
        [&] { all.work(1); });
}

TEFF_SCENARIO(dock_and_barrier, two_members_meet_again_and_again) { members_meet_again_and_again<2, 2>(); }
TEFF_SCENARIO(dock_and_barrier, three_members_meet_again_and_again) { members_meet_again_and_again<3, 1>(); }
TEFF_SCENARIO(dock_and_barrier, a_member_that_waits_is_released_by_a_cancellation) {
    a_member_that_waits_is_released_by_a_cancellation<0>();
}
TEFF_SCENARIO(dock_and_barrier, a_member_that_leaves_is_released_by_a_cancellation) {
    a_member_that_waits_is_released_by_a_cancellation<1>();
}

}  // namespace

std::span<const model::scenario> dock_and_barrier_scenarios() { return defined_here; }

}  // namespace scenarios
