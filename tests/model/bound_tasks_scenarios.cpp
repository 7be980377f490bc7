// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that are bound to a shepherd: inboxes and seats alone, with sleepers, and in a real team on the pool's workers.
//
// Each task writes ordinary memory of its seat. So it is a race if two threads are on the only seat of a shepherd, or
// if a thread does not see the writes of its predecessor. A task that no thread takes is a deadlock or a livelock.
#include "definition.hpp"

#include <teff/pool/idle_sleep.hpp>
#include <teff/pool/pool.hpp>
#include <teff/scheduler/event_count.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/team/bound_tasks.hpp>
#include <teff/team/count_latch.hpp>
#include <teff/team/latch_wait.hpp>
#include <teff/team/task_team.hpp>
#include <teff/team/team_options.hpp>

namespace scenarios {
namespace {

constexpr unsigned none = teff::bound_tasks::none;

// Each worker is a shepherd, or all are one.
teff::scheduler_settings settings_of(unsigned slots, bool are_one) {
    teff::scheduler_settings settings;
    settings.slots = slots;
    settings.shepherds = are_one ? 1 : settings.shepherd_per_worker;
    return settings;
}

class numbered : public teff::task_header {
public:
    numbered(unsigned number, unsigned shepherd) noexcept : number_(number) { priority = bound | shepherd; }
    void be_taken() const { model::take(number_); }
    unsigned number() const noexcept { return number_; }

private:
    const unsigned number_;
};

const numbered* of(teff::task_header* taken) {
    if (taken != nullptr)
        static_cast<numbered*>(taken)->be_taken();
    return static_cast<numbered*>(taken);
}

// Two shepherds with one seat each, or one with two.
struct fixture {
    explicit fixture(bool are_one) : all({settings_of(2, are_one), 1}, 2) {}

    // At the end: takes the tasks that are left.
    void finish(unsigned items) {
        for (unsigned shepherd = 0; shepherd < all.count(); ++shepherd)
            while (of(all.take(shepherd)) != nullptr) {
            }
        model::check(!all.any() && all.find_unattended(0) == none, "empty inboxes seem to have tasks");
        model::expect_taken_once(items);
    }

    teff::bound_tasks all;
};

TEFF_SCENARIO(bound_tasks, a_put_against_a_take) {
    fixture each(false);
    numbered first(0, 0), second(1, 0);
    each.all.put(first);
    const numbered* taken = nullptr;
    model::parallel([&] { each.all.put(second); }, [&] { taken = of(each.all.take(0)); });
    model::check(taken == &first, "not the oldest");
    model::check(each.all.has(0), "a task is not seen");
    each.finish(2);
}

TEFF_SCENARIO(bound_tasks, two_takers_want_the_last_task) {
    fixture each(true);
    numbered first(0, 0), second(1, 0);
    each.all.put(first);
    const numbered* taken[2] = {};
    model::parallel([&] { taken[0] = of(each.all.take(0)); }, [&] { taken[1] = of(each.all.take(0)); });
    model::check((taken[0] == nullptr) != (taken[1] == nullptr), "nobody got the only task, or both");
    each.all.put(second);
    each.finish(2);
}

// One inbox becomes empty while another one gets its first task.
TEFF_SCENARIO(bound_tasks, two_inboxes_change_at_once) {
    fixture each(false);
    numbered first(0, 0), second(1, 1);
    each.all.put(first);
    const numbered* taken = nullptr;
    model::parallel([&] { each.all.put(second); }, [&] { taken = of(each.all.take(0)); });
    model::check(taken == &first, "a task was missed");
    model::check(each.all.any() && each.all.find_unattended(0) == 1, "an inbox in use is not counted");
    each.finish(2);
}

// Each thread on the seat changes ordinary memory.
TEFF_SCENARIO(bound_tasks, one_thread_at_a_time_has_the_only_seat) {
    fixture each(false);
    unsigned visits = 0;
    const auto visit = [&] {
        model::wait_until([&] { return each.all.try_sit(0); });
        ++visits;
        model::check(!each.all.stand_up(0), "an empty inbox seems to have tasks");
    };
    model::parallel(visit, visit, visit);
    model::check(visits == 3, "two threads had the only seat at once");
    each.finish(0);
}

TEFF_SCENARIO(bound_tasks, as_many_threads_sit_as_there_are_seats) {
    fixture each(true);
    bool sat[3] = {};
    model::parallel([&] { sat[0] = each.all.try_sit(0); }, [&] { sat[1] = each.all.try_sit(0); },
                    [&] { sat[2] = each.all.try_sit(0); });
    model::check(sat[0] + sat[1] + sat[2] == 2, "the wrong number of threads sits");
    each.finish(0);
}

TEFF_SCENARIO(bound_tasks, two_threads_give_their_seats_up) {
    fixture each(true);
    model::check(each.all.try_sit(0) && each.all.try_sit(0) && !each.all.try_sit(0), "there are not two seats");
    const auto stand_up = [&] { model::check(!each.all.stand_up(0), "tasks are seen where there are none"); };
    model::parallel(stand_up, stand_up);
    model::check(each.all.try_sit(0) && each.all.try_sit(0) && !each.all.try_sit(0), "a seat was lost or doubled");
    each.finish(0);
}

// Members as in task_member_of.hpp, without a scheduler. Each sleeps until its task has run or is its own to run.
class members {
public:
    explicit members(bool are_one = false) : each(are_one) {}

    void put(numbered& ready) noexcept {
        each.all.put(ready);
        asleep.notify_all();
    }
    // Runs one task on a seat, as a member with this home.
    void run_one(unsigned home) {
        teff::seat mine;
        mine.set_home(home);
        teff::task_header* found = nullptr;
        asleep.begin_search();
        while ((found = look(mine)) == nullptr)
            teff::sleep_unless(asleep, [&] { return mine.has_tasks(each.all); },
                               [&](std::uint32_t ticket) { asleep.sleep(ticket); });
        asleep.end_search();
        of(found);
        ++runs[static_cast<numbered*>(found)->shepherd()];
        leave(mine);
    }
    teff::task_header* look(teff::seat& mine) {
        if (teff::task_header* const own = mine.take(each.all))
            return own;
        bool to_wake = false;
        teff::task_header* const taken = mine.take_elsewhere(each.all, false, to_wake);
        if (to_wake)
            asleep.notify_all();
        return taken;
    }
    void leave(teff::seat& mine) {
        if (mine.is_taken() && mine.give_up(each.all))
            asleep.notify_all();
    }

    fixture each;
    teff::event_count asleep;
    unsigned runs[2] = {};  // ordinary memory of a shepherd's only seat
};

// The sleeper's home has no task: it moves.
TEFF_SCENARIO(bound_tasks, a_put_is_seen_or_wakes_a_member_of_another_home) {
    members team;
    numbered only(0, 1);
    model::parallel([&] { team.put(only); }, [&] { team.run_one(0); });
    model::check(team.runs[1] == 1, "a task has not run");
    team.each.finish(1);
}

// Both members want the only seat: one at a time has it.
TEFF_SCENARIO(bound_tasks, two_members_run_the_tasks_of_one_shepherd) {
    members team;
    numbered first(0, 1), second(1, 1);
    team.put(first);
    model::parallel([&] { team.put(second); }, [&] { team.run_one(0); }, [&] { team.run_one(1); });
    model::check(team.runs[1] == 2, "a task has not run");
    team.each.finish(2);
}

// The third thread has the only seat, does not look for tasks any more, and gives its seat up.
TEFF_SCENARIO(bound_tasks, a_seat_that_is_given_up_wakes_a_sleeper) {
    members team;
    numbered only(0, 1);
    teff::seat held;
    held.set_home(1);
    model::check(team.look(held) == nullptr && held.is_at(1), "a member does not sit at home");
    model::parallel([&] { team.put(only); }, [&] { team.run_one(0); }, [&] { team.leave(held); });
    model::check(team.runs[1] == 1, "a task has not run");
    team.each.finish(1);
}

// A member looks into an inbox that another one empties, and gives the seat back that it has taken for this.
TEFF_SCENARIO(bound_tasks, a_member_that_finds_nothing_gives_the_seat_back) {
    members team;
    numbered first(0, 1), second(1, 1);
    team.put(first);
    model::parallel([&] { team.run_one(0); },
                    [&] {
                        teff::seat mine;
                        mine.set_home(0);
                        if (teff::task_header* const found = team.look(mine)) {
                            of(found);
                            ++team.runs[1];
                            team.leave(mine);
                            return;
                        }
                        team.leave(mine);
                    },
                    [&] { team.put(second); });
    team.each.finish(2);
    model::check(team.each.all.try_sit(0) && team.each.all.try_sit(1) && !team.each.all.try_sit(1), "a seat was lost");
}

// ---- In a team

// A team of the calling thread, in which each worker is a shepherd.
class team_of_shepherds {
public:
    explicit team_of_shepherds(unsigned slots, const char* scheduler = "demand") {
        teff::team_options how;
        how.settings = settings_of(slots, false);
        how.settings.dry_polls = 1;
        how.scheduler = scheduler;
        how.spin_us = 10;  // one look at the model's clock
        made_ = teff::make_task_team(how, {});
        made_->prepare_bound_tasks();
        made_->enter_as_caller();
    }
    ~team_of_shepherds() {
        made_->leave_as_caller();
        teff::destroy(made_);
    }
    team_of_shepherds(const team_of_shepherds&) = delete;
    team_of_shepherds& operator=(const team_of_shepherds&) = delete;

    teff::task_team* operator->() const noexcept { return made_; }

private:
    teff::task_team* made_;
};

teff::task_member& self() noexcept { return *teff::running_thread.member; }

// Checks that it runs on its shepherd, and counts itself down.
class bound_task : public teff::task_header {
public:
    bound_task(unsigned number, unsigned shepherd, teff::count_latch& left) noexcept
        : task_header(run_it), number_(number), left_(left) {
        priority = bound | shepherd;
    }

private:
    static void run_it(teff::task_header& called) noexcept {
        auto& mine = static_cast<bound_task&>(called);
        model::take(mine.number_);
        model::check(self().shepherd() == mine.shepherd() && self().sits_at(mine.shepherd()),
                     "a bound task runs on another shepherd");
        mine.left_.count_down();
    }

    const unsigned number_;
    teff::count_latch& left_;
};

void await(teff::count_latch& left) {
    [[maybe_unused]] const bool taken_back =
        self().wait({left.word(), teff::count_latch::unfinished, &left}, {});
}

// The pool has no worker: the caller stands in for all shepherds.
TEFF_SCENARIO(bound_tasks_in_a_team, the_caller_stands_in_for_all_shepherds) {
    teff::count_latch left(3);
    bound_task tasks[] = {{0, 0, left}, {1, 1, left}, {2, 1, left}};
    {
        const team_of_shepherds team(2);
        for (bound_task& each : tasks)
            team->inject(each);
        await(left);
    }
    model::expect_taken_once(3);
}

// The caller waits, and a worker may come.
template <unsigned Shepherd>
void a_worker_or_the_caller_runs_a_bound_task() {
    teff::pool::instance().ensure_workers(1);
    teff::count_latch left(1);
    bound_task only(0, Shepherd, left);
    {
        const team_of_shepherds team(2);
        team->inject(only);
        await(left);
    }
    model::expect_taken_once(1);
}

// The caller is outside of the library, so a worker must come; also for the caller's own shepherd, where it has sat.
template <unsigned Shepherd>
void a_worker_comes_while_the_caller_is_busy() {
    teff::pool::instance().ensure_workers(1);
    teff::count_latch before(1), left(1);
    bound_task first(0, 0, before), second(1, Shepherd, left);
    {
        const team_of_shepherds team(2);
        team->inject(first);
        await(before);
        team->inject(second);
        model::wait_until([&] { return left.is_over(); });
    }
    model::expect_taken_once(2);
}

// The caller of a team waits in the given way for a task that a thread outside of the team injects.
template <class Wait>
void await_from_outside(Wait wait) {
    teff::count_latch left(1);
    bound_task only(0, 1, left);
    teff::atomic<teff::task_team*> opened{nullptr};
    model::parallel(
        [&] {
            const team_of_shepherds team(2);
            // release: the team can be used; partner: the acquire below.
            opened.store(team.operator->(), std::memory_order_release);
            wait(left);
        },
        [&] {
            // acquire, both: the team can be used; partner: the release above.
            model::wait_until([&] { return opened.load(std::memory_order_acquire) != nullptr; });
            opened.load(std::memory_order_acquire)->inject(only);
        });
    model::expect_taken_once(1);
}

// A thread that is not a member wakes the caller, which sleeps in the team.
TEFF_SCENARIO(bound_tasks_in_a_team, a_foreign_thread_injects_a_bound_task) { await_from_outside(await); }

// The same for a member that takes no other members' tasks.
TEFF_SCENARIO(bound_tasks_in_a_team, a_bound_task_wakes_a_member_that_blocks) {
    await_from_outside([](teff::count_latch& left) {
        [[maybe_unused]] const bool taken_back =
            self().wait({left.word(), teff::count_latch::unfinished, &left}, {.takes_others = false});
    });
}

// Both threads make the inboxes, and each can use them, also before the other one has said that they are there.
TEFF_SCENARIO(bound_tasks_in_a_team, two_threads_bind_the_first_tasks) {
    teff::team_options how;
    how.settings = settings_of(2, false);
    how.scheduler = "sherwood";
    teff::task_team* const team = teff::make_task_team(how, {});
    const auto expect = [&] {
        team->prepare_bound_tasks();
        model::check(team->shepherds().count() != 0, "the inboxes are of no shepherd");
    };
    model::parallel(expect, expect);
    teff::destroy(team);
}

TEFF_SCENARIO(bound_tasks_in_a_team, a_worker_or_the_caller_runs_its_task) {
    a_worker_or_the_caller_runs_a_bound_task<1>();
}
TEFF_SCENARIO(bound_tasks_in_a_team, a_worker_or_the_caller_runs_the_caller_s_task) {
    a_worker_or_the_caller_runs_a_bound_task<0>();
}
TEFF_SCENARIO(bound_tasks_in_a_team, a_worker_comes_while_the_caller_is_busy) {
    a_worker_comes_while_the_caller_is_busy<1>();
}
TEFF_SCENARIO(bound_tasks_in_a_team, a_worker_stands_in_for_the_busy_caller) {
    a_worker_comes_while_the_caller_is_busy<0>();
}

}  // namespace

std::span<const model::scenario> bound_tasks_scenarios() { return defined_here; }

}  // namespace scenarios
