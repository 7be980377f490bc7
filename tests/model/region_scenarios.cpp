// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions, from their parts to the whole: the barrier that runs tasks, the dock where workers wait between regions, and
// regions of a real team with tasks that are pushed, injected, refused or urgent.
//
// For the barrier alone, mailboxes with room for one task replace the queues. A mailbox orders what came before the
// task was put in, and nothing else. A member looks whether the barrier can be opened when it runs dry, and not again
// while it waits, so a missing opening is a livelock. What a member or a task leaves is ordinary memory that all
// members read after the barrier. Regions run in a team that the scenario makes itself, with the pool's workers.
#include "fork_join_kit.hpp"

#include <teff/base/allocation.hpp>
#include <teff/runtime/dock.hpp>
#include <teff/runtime/pool.hpp>
#include <teff/runtime/region_barrier.hpp>
#include <teff/runtime/running_strand.hpp>
#include <teff/runtime/task_team.hpp>
#include <teff/scheduler/termination_detector.hpp>

#include <atomic>
#include <optional>

namespace scenarios {
namespace {

constexpr long spin_us = 10;  // one look at the model's clock

class mailbox {
public:
    void put(unsigned task) noexcept {
        // release: publishes what came before; partner: the acquire in take().
        word_.store(task + 1, std::memory_order_release);
    }
    bool take(unsigned& task) noexcept {
        // acquire: sees what came before the task was put in; partner: the release in put().
        const unsigned got = word_.exchange(0, std::memory_order_acquire);
        task = got - 1;
        return got != 0;
    }

private:
    teff::atomic<unsigned> word_{0};
};

// Up to three members that meet at a barrier, with an account each.
class barrier_team {
public:
    explicit barrier_team(unsigned size) noexcept : size_(size) {}

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
    void meet() { meet([] { return false; }); }
    template <class RunSome>
    void meet(RunSome&& run_some) {
        const teff::goal awaited = barrier_.goal_for(barrier_.arrive());
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
    bool wait(const teff::goal& awaited, RunSome&& run_some) {
        bool has_run = false;
        model::wait_until([&] { return awaited.is_reached() || (has_run = run_some()); });
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
                all.meet();
                all.expect_written(round);
                // No member writes for the next round before all have read.
                all.meet();
            }
        };
    };
    if constexpr (Size == 2)
        model::parallel(member(0), member(1));
    else
        model::parallel(member(0), member(1), member(2));
}

// A member is late to look at a barrier that another member has opened; this look does not open the next barrier.
void a_late_look_opens_nothing() {
    barrier_team all(2);
    teff::atomic<unsigned> through{0};
    const auto member = [&](unsigned number) {
        return [&, number] {
            all.write(number, 1);
            all.meet();
            all.expect_written(1);
            // relaxed: only compared.
            const unsigned before = through.fetch_add(1, std::memory_order_relaxed);
            // The first one through arrives alone.
            all.look();
            all.meet();
            model::check(before == 1 || through.load(std::memory_order_relaxed) == 2, "a barrier was opened for one");
        };
    };
    model::parallel(member(0), member(1));
}

// The task ends while both members arrive; its runner may be the last to arrive, or the first.
void the_last_task_ends_while_others_arrive() {
    barrier_team all(2);
    all.push(0, 0);
    const auto nothing = [](unsigned) {};
    const auto runner = [&] {
        all.write(1, 1);
        all.meet([&] { return all.run_from(0, 1, nothing); });
        all.expect_done(1);
        all.expect_written(1);
    };
    const auto other = [&] {
        all.write(0, 1);
        all.meet();
        all.expect_done(1);
        all.expect_written(1);
    };
    model::parallel(runner, other);
    model::expect_taken_once(1);
}

// A task's child runs on the member that had run dry before.
void a_child_keeps_the_barrier_closed() {
    barrier_team all(2);
    const auto first = [&] {
        all.write(0, 1);
        all.push(0, 0);
        all.meet([&] { return all.run_from(1, 0, [](unsigned) {}); });
        all.expect_done(2);
        all.expect_written(1);
    };
    const auto second = [&] {
        all.write(1, 1);
        all.meet([&] { return all.run_from(0, 1, [&](unsigned) { all.push(1, 1); }); });
        all.expect_done(2);
        all.expect_written(1);
    };
    model::parallel(first, second);
    model::expect_taken_once(2);
}

// Each of three members has a task that another member runs.
void three_members_run_each_other_s_tasks() {
    barrier_team all(3);
    const auto member = [&all](unsigned number) {
        return [&all, number] {
            all.write(number, 1);
            all.push(number, number);
            all.meet([&] { return all.run_from((number + 1) % 3, number, [](unsigned) {}); });
            all.expect_done(3);
            all.expect_written(1);
        };
    };
    model::parallel(member(0), member(1), member(2));
    model::expect_taken_once(3);
}

// The task of a thread that is not a member. One of the members waits for the injection before it arrives.
void a_task_from_outside_keeps_the_barrier_closed() {
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
        all.meet();
        all.expect_done(1);
    };
    const auto runner = [&] {
        all.meet([&] { return all.run_from(0, 1, [](unsigned) {}); });
        all.expect_done(1);
    };
    model::parallel(outsider, waiting, runner);
    model::expect_taken_once(1);
}

// A caller and its workers, all of them threads of the scenario. What the caller leaves for a worker, and a worker for
// the caller, is ordinary memory.
class docked {
public:
    explicit docked(unsigned slots) : dock_(slots), slots_(slots), size_(slots) {}

    teff::dock& dock() noexcept { return dock_; }

    void resize(unsigned size) {
        size_ = size;
        dock_.release(slots_, teff::dock::order::resize);
        dock_.await_done(spin_us);
        expect_answers(size, slots_);
    }
    void run(unsigned number) {
        given_ = number;
        dock_.release(size_, teff::dock::order::run);
        meet();
        expect_answers(number, size_);
    }
    void leave() { dock_.release(slots_, teff::dock::order::leave); }

    // Runs in a worker, until it is told to leave.
    void work(unsigned slot) {
        dock_.done(slot);
        for (;;) {
            switch (dock_.wait(slot, spin_us)) {
            case teff::dock::order::run:
                answers_[slot] = given_;
                dock_.mark_waiting(slot);
                meet();
                break;
            case teff::dock::order::resize:
                answers_[slot] = size_;
                dock_.done(slot);
                break;
            case teff::dock::order::leave:
                return;
            case teff::dock::order::none:
                model::fail("a worker was released without an order");
            }
        }
    }

private:
    void meet() {
        // Read before the arrival, since the caller may write another size after the barrier.
        const unsigned size = size_;
        const teff::goal awaited = barrier_.goal_for(barrier_.arrive());
        barrier_.try_open(size, [] { return true; });
        model::wait_until([&] { return awaited.is_reached(); });
    }
    void expect_answers(unsigned number, unsigned end) const noexcept {
        for (unsigned slot = 1; slot < end; ++slot)
            model::check(answers_[slot] == number, "an order was not carried out, or it is not known");
    }

    teff::dock dock_;
    teff::region_barrier barrier_;
    const unsigned slots_;
    // the caller writes, between orders
    unsigned size_, given_ = 0;
    // each worker writes its own
    unsigned answers_[3] = {};
};

// The worker is about to sleep when the caller releases it.
void a_release_finds_a_worker_that_goes_to_sleep() {
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
void a_smaller_and_a_larger_region_between_two() {
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
void fewer_come_than_were_expected() {
    docked all(2);
    all.dock().expect(2);
    model::parallel(
        [&] {
            all.dock().expect_fewer(1);
            all.dock().await_done(spin_us);
            all.run(7);
            all.leave();
        },
        [&] { all.work(1); });
}

// A real team that the calling thread has formed and dissolves at the end of the scope.
class region_team {
public:
    explicit region_team(unsigned slots, const char* scheduler = "demand", unsigned shepherds = 0) {
        teff::team_options how;
        how.settings.slots = slots;
        how.settings.block_size = 2;
        how.settings.epoch_threshold = 1;
        how.settings.dry_looks = 1;
        how.settings.shepherds = shepherds;
        how.scheduler = scheduler;
        how.spin_us = spin_us;
        made_ = teff::make_task_team(how, {}, teff::admission::fixed);
        made_->form();
        model::check(made_->member_count() == slots, "the team has too few members");
    }
    ~region_team() {
        made_->dissolve();
        teff::destroy(made_);
    }
    region_team(const region_team&) = delete;
    region_team& operator=(const region_team&) = delete;

    teff::task_team& operator*() const noexcept { return *made_; }
    teff::task_team* operator->() const noexcept { return made_; }

    // Calls body(member, size) on `size` members.
    template <class Body>
    void run(unsigned size, Body&& body) {
        const auto call = [](void* argument, unsigned member, unsigned members) noexcept {
            (*static_cast<std::remove_reference_t<Body>*>(argument))(member, members);
        };
        model::check(made_->run_region(size, call, &body) == size, "the region has a wrong size");
    }

private:
    teff::task_team* made_;
};

teff::task_member& self() noexcept { return *teff::running_thread.member; }

// A task that leaves the slot of its runner in ordinary memory, and may do something more.
class task : public teff::task_header {
public:
    explicit task(unsigned number, std::uint32_t urgency = 0) noexcept : task_header(run_it), number_(number) {
        priority = urgency;
    }

    static task& of(teff::task_header& some) noexcept { return static_cast<task&>(some); }
    static const task& of(const teff::task_header& some) noexcept { return static_cast<const task&>(some); }

    void push() noexcept {
        if (!self().push(*this)) {
            run(*this);
            self().count_run_at_once();
        }
    }
    unsigned number() const noexcept { return number_; }
    bool is_done() const noexcept { return runner_ != nobody; }
    // Valid once the task is done.
    unsigned runner() const noexcept { return runner_; }

    void (*more)(task&) noexcept = nullptr;
    void* context = nullptr;

private:
    static constexpr unsigned nobody = ~0U;

    static void run_it(teff::task_header& called) noexcept {
        task& mine = of(called);
        model::take(mine.number_);
        mine.runner_ = self().slot();
        if (mine.more != nullptr)
            mine.more(mine);
    }

    const unsigned number_;
    unsigned runner_ = nobody;
};

void expect_done(const task* tasks, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        model::check(tasks[i].is_done(), "a task had not run at the barrier");
}

// Each member queues a task before the barrier and one after it.
template <unsigned Size>
void tasks_around_a_barrier(const char* scheduler) {
    region_team team(Size, scheduler);
    task before[] = {task(0), task(1), task(2)};
    task after[] = {task(Size), task(Size + 1), task(Size + 2)};
    team.run(Size, [&](unsigned member, unsigned) {
        before[member].push();
        self().wait_at_barrier();
        expect_done(before, Size);
        after[member].push();
    });
    expect_done(after, Size);
    model::expect_taken_once(2 * Size);
}
void tasks_around_a_barrier_of_two() { tasks_around_a_barrier<2>("demand"); }
void tasks_around_a_barrier_of_three() { tasks_around_a_barrier<3>("demand"); }
void tasks_around_a_barrier_with_sherwood() { tasks_around_a_barrier<2>("sherwood"); }
void tasks_around_a_barrier_with_nemesis() { tasks_around_a_barrier<2>("nemesis"); }

// The caller queues all tasks; at the end of the region it sleeps, or runs tasks.
void tasks_of_the_caller_alone() {
    region_team team(2);
    task all[] = {task(0), task(1), task(2)};
    team.run(2, [&](unsigned member, unsigned) {
        if (member == 0) {
            for (task& each : all)
                each.push();
        }
    });
    expect_done(all, 3);
    model::expect_taken_once(3);
}

void regions_of_several_sizes() {
    region_team team(3);
    for (const unsigned size : {3U, 2U, 3U}) {
        unsigned present[3] = {};
        team.run(size, [&](unsigned member, unsigned members) {
            model::check(member < size && members == size, "a member has a wrong number");
            ++present[member];
        });
        for (unsigned i = 0; i < 3; ++i)
            model::check(present[i] == (i < size ? 1U : 0U), "a member was missing, or there twice");
    }
}

// A word that tasks set and members wait for.
struct event {
    teff::atomic<unsigned> word{0};

    void set(teff::task_team& team) noexcept {
        // release: publishes what was done before; partner: the acquire in is_reached().
        word.store(1, std::memory_order_release);
        team.notify_waiters();
    }
    teff::goal as_goal() const noexcept { return {.word = word, .expected = 1}; }
    void await(const teff::take_rules& may_run = {}) const {
        [[maybe_unused]] const bool taken_back = self().wait(as_goal(), {.may_run = may_run});
    }
    // Without the team: the member runs no task while it waits.
    void await_idly() const {
        model::wait_until([this] { return as_goal().is_reached(); });
    }
};

void set_event(task& ended) noexcept { static_cast<event*>(ended.context)->set(self().team()); }

// A thread that is not a member wakes members that sleep. The task that it injects ends their wait, and the team may be
// destroyed right after it.
template <unsigned Size>
void a_task_is_injected_while_members_sleep() {
    task only(0);
    event done;
    only.more = set_event;
    only.context = &done;
    teff::atomic<teff::task_team*> opened{nullptr};
    unsigned given = 0, seen = 0;
    model::parallel(
        [&] {
            region_team team(Size);
            // release: the team can be used; partner: the acquire below.
            opened.store(&*team, std::memory_order_release);
            team.run(Size, [&](unsigned member, unsigned) {
                if (member == 0) {
                    done.await();
                    seen = given;
                }
            });
            model::check(only.is_done(), "an injected task had not run at the end of the region");
        },
        [&] {
            // acquire: the team can be used; partner: the release above.
            model::wait_until([&] { return opened.load(std::memory_order_acquire) != nullptr; });
            given = 1;
            opened.load(std::memory_order_acquire)->inject(only);
        });
    model::check(seen == 1, "what came before an injection was not seen");
    model::expect_taken_once(1);
}

// The same where the only member waits for a count latch and takes only tasks of its own and those in the lanes.
void a_task_is_injected_while_a_member_blocks() {
    task only(0);
    teff::count_latch left;
    left.count_up();
    only.more = [](task& ended) noexcept { static_cast<teff::count_latch*>(ended.context)->count_down(); };
    only.context = &left;
    teff::atomic<teff::task_team*> opened{nullptr};
    model::parallel(
        [&] {
            region_team team(1);
            // release: the team can be used; partner: the acquire below.
            opened.store(&*team, std::memory_order_release);
            team.run(1, [&](unsigned, unsigned) {
                const teff::goal done{.word = left.word(), .bits = teff::count_latch::unfinished, .watched = &left};
                [[maybe_unused]] const bool taken_back = self().wait(done, {.takes_others = false});
            });
            model::check(only.is_done(), "an injected task had not run at the end of the region");
        },
        [&] {
            // acquire: the team can be used; partner: the release above.
            model::wait_until([&] { return opened.load(std::memory_order_acquire) != nullptr; });
            opened.load(std::memory_order_acquire)->inject(only);
        });
    model::expect_taken_once(1);
}

bool is_odd(const teff::task_header& offered, const void*) noexcept { return task::of(offered).number() % 2 != 0; }
bool is_none(const teff::task_header&, const void*) noexcept { return false; }
// Refuses every task, and reports that it has been asked.
bool refuse(const teff::task_header&, const void* told) noexcept {
    // relaxed: orders nothing.
    (*static_cast<teff::atomic<bool>* const*>(told))->store(true, std::memory_order_relaxed);
    return false;
}

// An elastic team whose caller is busy until the task has run: a worker of the pool comes for the task. With Waits, the
// caller waits in the team instead and refuses the task.
template <bool Waits>
void an_injected_task_calls_a_worker() {
    teff::pool::instance().ensure_workers(1);
    task only(0);
    event done;
    only.more = set_event;
    only.context = &done;
    {
        const open_team team(2);
        team->inject(only);
        if (Waits)
            done.await({.accepts = is_none});
        else
            done.await_idly();
    }
    model::check(only.runner() == 1, "an injected task was run by a thread that refuses it");
    model::expect_taken_once(1);
}

// A member that blocks sleeps beside a task that it refuses; if it looked all the time, that would be a livelock.
void a_member_blocks_beside_a_task_that_it_refuses() {
    task only(0);
    teff::count_latch left;
    left.count_up();
    teff::atomic<bool> is_refused{false};
    teff::atomic<bool>* const told = &is_refused;
    model::parallel(
        [&] {
            region_team team(1);
            team.run(1, [&](unsigned, unsigned) {
                only.push();
                const teff::goal done{.word = left.word(), .bits = teff::count_latch::unfinished, .watched = &left};
                [[maybe_unused]] const bool taken_back =
                    self().wait(done, {.takes_others = false, .may_run = {.accepts = refuse, .context = &told}});
                model::check(!only.is_done(), "a member ran a task that it refuses");
            });
            model::check(only.is_done(), "a task had not run at the end of the region");
        },
        [&] {
            // relaxed: orders nothing.
            model::wait_until([&] { return is_refused.load(std::memory_order_relaxed); });
            left.count_down();
        });
    model::expect_taken_once(1);
}

// The last member runs only odd tasks until its event, which is set by an odd one; the other member runs any task.
void one_member_refuses(const char* scheduler, unsigned shepherds, unsigned tasks) {
    region_team team(2, scheduler, shepherds);
    task all[] = {task(0), task(1), task(2), task(3)};
    event done;
    all[1].more = set_event;
    all[1].context = &done;
    // the member that refuses writes and reads
    bool refuses = false;
    const auto look = [](task& ran) noexcept {
        if (self().slot() == 1)
            model::check(!*static_cast<bool*>(ran.context), "a member ran a task that it refuses");
    };
    for (unsigned i = 0; i < tasks; i += 2) {
        all[i].more = look;
        all[i].context = &refuses;
    }
    team.run(2, [&](unsigned member, unsigned) {
        if (member == 0) {
            for (unsigned i = 0; i < tasks; ++i)
                all[i].push();
        } else {
            refuses = true;
            done.await({.accepts = is_odd});
            refuses = false;
        }
    });
    expect_done(all, tasks);
    model::expect_taken_once(tasks);
}
void a_task_is_refused_and_run_by_the_other() { one_member_refuses("demand", 0, 2); }
void tasks_are_refused_after_a_theft_of_several() { one_member_refuses("demand", 0, 4); }
void tasks_of_sherwood_are_refused() { one_member_refuses("sherwood", 2, 3); }
void tasks_of_nemesis_are_refused() { one_member_refuses("nemesis", 0, 3); }

// The thief of the only task may not run it, and the task's owner sleeps at the barrier: the thief wakes it.
void a_refused_task_calls_its_owner() {
    region_team team(2);
    task only(0);
    event done;
    only.more = set_event;
    only.context = &done;
    team.run(2, [&](unsigned member, unsigned) {
        if (member == 0)
            only.push();
        else
            done.await({.accepts = is_none});
    });
    model::check(only.is_done() && only.runner() == 0, "a task was run by a member that refuses it");
    model::expect_taken_once(1);
}

// Only the third member may run the task. It sleeps at the barrier, or is about to. The first member waits and refuses
// the task; the second one, which has made it, is busy until it has run.
void the_only_member_that_may_run_a_task_is_called(const char* scheduler, std::uint32_t urgency) {
    task only(0, urgency);
    event done;
    only.more = set_event;
    only.context = &done;
    region_team team(3, scheduler);
    team.run(3, [&](unsigned member, unsigned) {
        if (member == 0)
            done.await({.accepts = is_none});
        if (member == 1) {
            only.push();
            self().show_all();
            done.await_idly();
        }
    });
    model::check(only.is_done() && only.runner() == 2, "a task was run by a member that refuses it");
    model::expect_taken_once(1);
}
void the_only_member_for_a_task_is_called() { the_only_member_that_may_run_a_task_is_called("demand", 0); }
void the_only_member_for_a_task_of_sherwood_is_called() {
    the_only_member_that_may_run_a_task_is_called("sherwood", 0);
}
void the_only_member_for_an_urgent_task_is_called() { the_only_member_that_may_run_a_task_is_called("demand", 1); }

// Only the third member may run the task. The others, including the one that has made it, wait for it and refuse it.
void all_but_one_refuse(const char* scheduler, std::uint32_t urgency) {
    task only(0, urgency);
    event done;
    only.more = set_event;
    only.context = &done;
    region_team team(3, scheduler);
    team.run(3, [&](unsigned member, unsigned) {
        if (member == 1)
            only.push();
        if (member != 2)
            done.await({.accepts = is_none});
    });
    model::check(only.is_done() && only.runner() == 2, "a task was run by a member that refuses it");
    model::expect_taken_once(1);
}
void all_but_one_refuse_a_task() { all_but_one_refuse("demand", 0); }
void all_but_one_refuse_a_task_of_sherwood() { all_but_one_refuse("sherwood", 0); }
void all_but_one_refuse_an_urgent_task_of_nemesis() { all_but_one_refuse("nemesis", 1); }

// An urgent task is taken before older ones, or by another member if the one that made it does not take it.
void an_urgent_task_goes_first(const char* scheduler) {
    region_team team(2, scheduler);
    task all[] = {task(0), task(1), task(2, 3)};
    unsigned first = ~0U;
    team.run(2, [&](unsigned member, unsigned) {
        if (member != 0)
            return;
        for (task& each : all)
            each.push();
        if (teff::task_header* const taken = self().take({})) {
            first = task::of(*taken).number();
            self().run(*taken);
        }
    });
    expect_done(all, 3);
    model::check(first == 2 || all[2].runner() == 1, "an older task went first");
    model::expect_taken_once(3);
}
void an_urgent_task_goes_first_with_demand() { an_urgent_task_goes_first("demand"); }
void an_urgent_task_goes_first_with_sherwood() { an_urgent_task_goes_first("sherwood"); }

// A member that makes an urgent task may never come back to run it, so a sleeper is woken.
void an_urgent_task_calls_a_sleeper() {
    region_team team(2);
    task only(0, 1);
    event done;
    only.more = set_event;
    only.context = &done;
    team.run(2, [&](unsigned member, unsigned) {
        if (member == 0) {
            only.push();
            done.await_idly();
        }
    });
    model::check(only.is_done() && only.runner() == 1, "an urgent task did not go to the sleeper");
    model::expect_taken_once(1);
}

constexpr model::scenario all[] = {
    {"region", "two_members_meet_again_and_again", members_meet_again_and_again<2, 2>},
    {"region", "three_members_meet_again_and_again", members_meet_again_and_again<3, 1>},
    {"region", "a_late_look_opens_nothing", a_late_look_opens_nothing},
    {"region", "the_last_task_ends_while_others_arrive", the_last_task_ends_while_others_arrive},
    {"region", "a_child_keeps_the_barrier_closed", a_child_keeps_the_barrier_closed},
    {"region", "three_members_run_each_other_s_tasks", three_members_run_each_other_s_tasks},
    {"region", "a_task_from_outside_keeps_the_barrier_closed", a_task_from_outside_keeps_the_barrier_closed},
    {"region", "a_release_finds_a_worker_that_goes_to_sleep", a_release_finds_a_worker_that_goes_to_sleep},
    {"region", "a_smaller_and_a_larger_region_between_two", a_smaller_and_a_larger_region_between_two},
    {"region", "fewer_come_than_were_expected", fewer_come_than_were_expected},
    {"region", "tasks_around_a_barrier_of_two", tasks_around_a_barrier_of_two},
    {"region", "tasks_around_a_barrier_of_three", tasks_around_a_barrier_of_three},
    {"region", "tasks_around_a_barrier_with_sherwood", tasks_around_a_barrier_with_sherwood},
    {"region", "tasks_around_a_barrier_with_nemesis", tasks_around_a_barrier_with_nemesis},
    {"region", "tasks_of_the_caller_alone", tasks_of_the_caller_alone},
    {"region", "regions_of_several_sizes", regions_of_several_sizes},
    {"region", "a_task_is_injected_while_one_member_sleeps", a_task_is_injected_while_members_sleep<1>},
    {"region", "a_task_is_injected_while_two_members_sleep", a_task_is_injected_while_members_sleep<2>},
    {"region", "a_task_is_injected_while_a_member_blocks", a_task_is_injected_while_a_member_blocks},
    {"region", "an_injected_task_calls_a_worker", an_injected_task_calls_a_worker<false>},
    {"region", "an_injected_task_calls_a_worker_beside_a_caller_that_refuses", an_injected_task_calls_a_worker<true>},
    {"region", "a_member_blocks_beside_a_task_that_it_refuses", a_member_blocks_beside_a_task_that_it_refuses},
    {"region", "a_task_is_refused_and_run_by_the_other", a_task_is_refused_and_run_by_the_other},
    {"region", "tasks_are_refused_after_a_theft_of_several", tasks_are_refused_after_a_theft_of_several},
    {"region", "tasks_of_sherwood_are_refused", tasks_of_sherwood_are_refused},
    {"region", "tasks_of_nemesis_are_refused", tasks_of_nemesis_are_refused},
    {"region", "a_refused_task_calls_its_owner", a_refused_task_calls_its_owner},
    {"region", "the_only_member_for_a_task_is_called", the_only_member_for_a_task_is_called},
    {"region", "the_only_member_for_a_task_of_sherwood_is_called", the_only_member_for_a_task_of_sherwood_is_called},
    {"region", "the_only_member_for_an_urgent_task_is_called", the_only_member_for_an_urgent_task_is_called},
    {"region", "all_but_one_refuse_a_task", all_but_one_refuse_a_task},
    {"region", "all_but_one_refuse_a_task_of_sherwood", all_but_one_refuse_a_task_of_sherwood},
    {"region", "all_but_one_refuse_an_urgent_task_of_nemesis", all_but_one_refuse_an_urgent_task_of_nemesis},
    {"region", "an_urgent_task_goes_first_with_demand", an_urgent_task_goes_first_with_demand},
    {"region", "an_urgent_task_goes_first_with_sherwood", an_urgent_task_goes_first_with_sherwood},
    {"region", "an_urgent_task_calls_a_sleeper", an_urgent_task_calls_a_sleeper},
};

}  // namespace

std::span<const model::scenario> region_scenarios() {
    // pool_scenarios() prepares what these scenarios need, too.
    static const bool prepared = !pool_scenarios().empty();
    return prepared ? all : std::span<const model::scenario>();
}

}  // namespace scenarios
