// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions of a real team, with tasks that are pushed, injected, refused or urgent. The scenario makes the team itself,
// on the pool's workers; what a task leaves is ordinary memory. The barrier and the dock alone:
// dock_and_barrier_scenarios.cpp.
#include "definition.hpp"
#include "fork_join_kit.hpp"
#include "region_kit.hpp"

#include <teff/base/allocation.hpp>
#include <teff/pool/pool.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/team/task_team.hpp>

#include <atomic>
#include <optional>

namespace scenarios {
namespace {

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
TEFF_SCENARIO(region, tasks_around_a_barrier_of_two) { tasks_around_a_barrier<2>("demand"); }
TEFF_SCENARIO(region, tasks_around_a_barrier_of_three) { tasks_around_a_barrier<3>("demand"); }
TEFF_SCENARIO(region, tasks_around_a_barrier_with_sherwood) { tasks_around_a_barrier<2>("sherwood"); }
TEFF_SCENARIO(region, tasks_around_a_barrier_with_nemesis) { tasks_around_a_barrier<2>("nemesis"); }

// The caller queues all tasks; at the end of the region it sleeps, or runs tasks.
TEFF_SCENARIO(region, tasks_of_the_caller_alone) {
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

TEFF_SCENARIO(region, regions_of_several_sizes) {
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
        // release: publishes what was done before; partner: the acquire in is_met().
        word.store(1, std::memory_order_release);
        team.notify_waiters();
    }
    teff::wait_condition as_condition() const noexcept { return {.word = word, .expected = 1}; }
    void await(const teff::take_rules& may_run = {}) const {
        [[maybe_unused]] const bool taken_back = self().wait(as_condition(), {.may_run = may_run});
    }
    // Without the team: the member runs no task while it waits.
    void await_idly() const {
        model::wait_until([this] { return as_condition().is_met(); });
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

// Two threads inject at once. The end of the team must not come before both have left it.
TEFF_SCENARIO(region, two_tasks_are_injected_at_once) {
    task first(0), second(1);
    event first_done, second_done;
    first.more = second.more = set_event;
    first.context = &first_done;
    second.context = &second_done;
    teff::atomic<teff::task_team*> opened{nullptr};
    const auto inject = [&opened](task& made) {
        // acquire: the team can be used; partner: the release below.
        model::wait_until([&] { return opened.load(std::memory_order_acquire) != nullptr; });
        opened.load(std::memory_order_acquire)->inject(made);
    };
    model::parallel(
        [&] {
            region_team team(1);
            // release: the team can be used; partner: the acquire above.
            opened.store(&*team, std::memory_order_release);
            team.run(1, [&](unsigned, unsigned) {
                first_done.await();
                second_done.await();
            });
        },
        [&] { inject(first); }, [&] { inject(second); });
    model::expect_taken_once(2);
}

// As a_task_is_injected_while_members_sleep(), where the only member waits for a count latch and takes only its own
// tasks and those in the lanes.
TEFF_SCENARIO(region, a_task_is_injected_while_a_member_blocks) {
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
                const teff::wait_condition done{
                    .word = left.word(), .bits = teff::count_latch::unfinished, .watched = &left};
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
TEFF_SCENARIO(region, a_member_blocks_beside_a_task_that_it_refuses) {
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
                const teff::wait_condition done{
                    .word = left.word(), .bits = teff::count_latch::unfinished, .watched = &left};
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
TEFF_SCENARIO(region, a_task_is_refused_and_run_by_the_other) { one_member_refuses("demand", 0, 2); }
TEFF_SCENARIO(region, tasks_are_refused_after_a_theft_of_several) { one_member_refuses("demand", 0, 4); }
TEFF_SCENARIO(region, tasks_of_sherwood_are_refused) { one_member_refuses("sherwood", 2, 3); }
TEFF_SCENARIO(region, tasks_of_nemesis_are_refused) { one_member_refuses("nemesis", 0, 3); }

// The thief of the only task may not run it, and the task's owner sleeps at the barrier: the thief wakes it.
TEFF_SCENARIO(region, a_refused_task_calls_its_owner) {
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

struct only_task {
    event done;
    task only;

    explicit only_task(std::uint32_t urgency) : only(0, urgency) {
        only.more = set_event;
        only.context = &done;
    }
};

// Only the third member may run the task. It sleeps at the barrier, or is about to. The first member waits and refuses
// the task; the second one, which has made it, is busy until it has run.
void the_only_member_that_may_run_a_task_is_called(const char* scheduler, std::uint32_t urgency) {
    only_task shared(urgency);
    auto& [done, only] = shared;
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
TEFF_SCENARIO(region, the_only_member_for_a_task_is_called) {
    the_only_member_that_may_run_a_task_is_called("demand", 0);
}
TEFF_SCENARIO(region, the_only_member_for_a_task_of_sherwood_is_called) {
    the_only_member_that_may_run_a_task_is_called("sherwood", 0);
}
TEFF_SCENARIO(region, the_only_member_for_an_urgent_task_is_called) {
    the_only_member_that_may_run_a_task_is_called("demand", 1);
}

// Only the third member may run the task. The others, including the one that has made it, wait for it and refuse it.
void all_but_one_refuse(const char* scheduler, std::uint32_t urgency) {
    only_task shared(urgency);
    auto& [done, only] = shared;
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
TEFF_SCENARIO(region, all_but_one_refuse_a_task) { all_but_one_refuse("demand", 0); }
TEFF_SCENARIO(region, all_but_one_refuse_a_task_of_sherwood) { all_but_one_refuse("sherwood", 0); }
TEFF_SCENARIO(region, all_but_one_refuse_an_urgent_task_of_nemesis) { all_but_one_refuse("nemesis", 1); }

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
TEFF_SCENARIO(region, an_urgent_task_goes_first_with_demand) { an_urgent_task_goes_first("demand"); }
TEFF_SCENARIO(region, an_urgent_task_goes_first_with_sherwood) { an_urgent_task_goes_first("sherwood"); }

// A member that makes an urgent task may never come back to run it, so a sleeper is woken.
TEFF_SCENARIO(region, an_urgent_task_calls_a_sleeper) {
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

TEFF_SCENARIO(region, a_task_is_injected_while_one_member_sleeps) { a_task_is_injected_while_members_sleep<1>(); }
TEFF_SCENARIO(region, a_task_is_injected_while_two_members_sleep) { a_task_is_injected_while_members_sleep<2>(); }
TEFF_SCENARIO(region, an_injected_task_calls_a_worker) { an_injected_task_calls_a_worker<false>(); }
TEFF_SCENARIO(region, an_injected_task_calls_a_worker_beside_a_caller_that_refuses) {
    an_injected_task_calls_a_worker<true>();
}

}  // namespace

std::span<const model::scenario> region_scenarios() { return in_prepared_process(defined_here); }

}  // namespace scenarios
