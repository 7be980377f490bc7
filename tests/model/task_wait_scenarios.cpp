// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fibers wait for the jobs of their forks and for groups (frontends/threads/fiber_member.hpp): each function is
// called once, what it leaves is seen where the fiber goes on, no fiber is left for ever, and nothing of a job, a group
// or a wait is used once the fiber may have freed it.
#include "definition.hpp"
#include "fiber_kit.hpp"
#include "fork_join_kit.hpp"

#include <teff/base/allocation.hpp>
#include <teff/base/backoff.hpp>
#include <teff/frontends/fork_join/child.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/group_task.hpp>
#include <teff/frontends/threads/fiber_member.hpp>
#include <teff/pool/pool.hpp>
#include <teff/team/task_team.hpp>

namespace scenarios {
namespace {

// A job of a new fork, in memory of its own.
template <class G>
forking::child<G&>* linked_job(G& second) {
    auto* const made = teff::create<forking::child<G&>>(second);
    model::check(made != nullptr, "no memory for a job");
    forking::link(*made);
    return made;
}

// Does what forking::fork() does, with a job that is freed at once.
template <class F, class G>
void fork(F&& first, G&& second, unsigned expected) {
    auto* const made = linked_job(second);
    first();
    const unsigned result = forking::take_back(*made) ? second() : made->take_outcome();
    teff::destroy(made);
    model::check(result == expected, "a result did not arrive");
}

void expect_fork(const char* scheduler) {
    teff::pool::instance().ensure_workers(1);
    visit first(0), second(1);
    {
        const open_team team(2, scheduler);
        run_on_fiber([&] {
            fork(first, second, 2);
            second.expect(2);
        });
    }
    model::expect_taken_once(2);
}
TEFF_SCENARIO(task_wait, a_job_is_taken_or_taken_back) { expect_fork("demand"); }
// The fiber takes no job of this scheduler back.
TEFF_SCENARIO(task_wait, a_fiber_waits_for_its_job) { expect_fork("sherwood"); }

// The fiber waits when the job has been taken: it is left before the job ends, or sees the end.
template <meanwhile Does>
void expect_fork_while_the_fiber_computes(unsigned workers, const char* scheduler) {
    teff::pool::instance().ensure_workers(workers);
    visit second(0);
    teff::atomic<bool> has_begun{false};
    teff::atomic<bool> may_end{false};
    {
        const open_team team(1 + workers, scheduler);
        run_on_fiber<Does>([&] {
            // relaxed, all: the two words only arrange the steps.
            const auto begin = [&] {
                has_begun.store(true, std::memory_order_relaxed);
                model::wait_until([&] { return may_end.load(std::memory_order_relaxed); });
                return second();
            };
            const auto await_begin = [&] {
                model::wait_until([&] { return has_begun.load(std::memory_order_relaxed); });
                may_end.store(true, std::memory_order_relaxed);
            };
            fork(await_begin, begin, 1);
        });
    }
    model::expect_taken_once(1);
}

TEFF_SCENARIO(task_wait, a_job_is_taken_while_the_fiber_computes) {
    expect_fork_while_the_fiber_computes<meanwhile::runs_tasks>(1, "demand");
}
// A worker may go on that has neither left the fiber nor run the job.
TEFF_SCENARIO(task_wait, a_third_worker_goes_on) {
    expect_fork_while_the_fiber_computes<meanwhile::spins>(2, "sherwood");
}

// With two workers both jobs may run at once, and the fiber waits for one after the other.
template <unsigned Workers>
void a_fiber_waits_twice() {
    teff::pool::instance().ensure_workers(Workers);
    visit innermost(0), younger(1), older(2);
    {
        const open_team team(1 + Workers, "sherwood");
        run_on_fiber([&] {
            fork([&] { fork(innermost, younger, 2); }, older, 3);
            younger.expect(2);
            older.expect(3);
        });
    }
    model::expect_taken_once(3);
}

// The first function has thrown: the job runs or is cancelled, and nobody uses it when drop() returns.
TEFF_SCENARIO(task_wait, a_fiber_drops_a_job) {
    teff::pool::instance().ensure_workers(1);
    visit second(0);
    {
        const open_team team(2, "sherwood");
        run_on_fiber([&] {
            auto* const made = linked_job(second);
            const bool has_run = forking::drop(*made);
            model::check(has_run == model::was_taken(0), "a dropped job ran, or one that ran has no outcome");
            if (has_run)
                made->drop_outcome();
            teff::destroy(made);
        });
    }
}

// After a stop the job is taken and not called.
TEFF_SCENARIO(task_wait, a_stop_meets_a_fiber_that_waits) {
    teff::pool::instance().ensure_workers(1);
    visit second(0);
    {
        const open_team team(2, "sherwood");
        run_on_fiber([&] {
            auto* const made = linked_job(second);
            team->begin_stop();
            model::check(!forking::take_back(*made), "a fiber took a job back");
            bool is_stopped = false;
            try {
                made->take_outcome();
            } catch (const teff::stopped&) {
                is_stopped = true;
            }
            model::check(is_stopped != model::was_taken(0), "a job was called and stopped, or neither");
            teff::destroy(made);
        });
    }
}

TEFF_SCENARIO(task_wait, a_fiber_waits_for_a_group) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1);
    {
        const open_team team(2);
        run_on_fiber([&] {
            auto* const group = teff::create<plain_group>();
            model::check(group != nullptr, "no memory for a group");
            for (visit* const each : {&one, &two}) {
                run_in(*group, [each] { (*each)(); });
            }
            group->wait();
            one.expect(1);
            two.expect(2);
            teff::destroy(group);
        });
    }
    model::expect_taken_once(2);
}

// Tasks that threads of no team end, and what they leave in ordinary memory.
struct counted_tasks {
    explicit counted_tasks(unsigned tasks) noexcept : left(tasks) {}

    teff::count_latch left;
    unsigned made[2] = {};

    void end(unsigned task) {
        made[task] = 1;
        left.count_down();
    }
    void wait() {
        while (!left.is_over())
            teff::threads::wait_for_count(left);
    }
};

// The fiber frees the latch at once.
template <unsigned Tasks>
void a_fiber_waits_for_tasks_of_other_threads() {
    auto* const shared = teff::create<counted_tasks>(Tasks);
    model::check(shared != nullptr, "no memory for a group");
    const auto wait = [=] {
        shared->wait();
        model::check(shared->made[0] == 1 && (Tasks == 1 || shared->made[1] == 1), "the end came before a task");
        teff::destroy(shared);
    };
    if constexpr (Tasks == 1)
        model::parallel(as_fiber(wait), [=] { shared->end(0); });
    else
        model::parallel(as_fiber(wait), [=] { shared->end(0); }, [=] { shared->end(1); });
}

TEFF_SCENARIO(task_wait, two_fibers_wait_for_a_task) {
    counted_tasks shared(1);
    const auto wait = [&] {
        shared.wait();
        model::check(shared.made[0] == 1, "the end came before the task");
    };
    model::parallel(as_fiber(wait), as_fiber(wait), [&] { shared.end(0); });
    model::check(shared.left.is_over(), "a task that has ended is still counted");
}

// A task is added that the fiber may wait for, too.
TEFF_SCENARIO(task_wait, a_task_is_added_while_a_fiber_waits) {
    counted_tasks shared(1);
    model::parallel(as_fiber([&] { shared.wait(); }), [&] { shared.end(0); },
                    [&] {
                        shared.left.count_up();
                        shared.end(1);
                    });
    model::check(shared.left.is_over() && shared.left.size() == 0, "a task that has ended is still counted");
}

// The latch is used again by the same fiber.
TEFF_SCENARIO(task_wait, a_fiber_waits_for_a_group_twice) {
    counted_tasks shared(1);
    teff::atomic<bool> again{false};
    model::parallel(
        as_fiber([&] {
            shared.wait();
            shared.left.count_up();
            // release: the task has been added; partner: the acquire below.
            again.store(true, std::memory_order_release);
            shared.wait();
            model::check(shared.made[0] == 1 && shared.made[1] == 1, "the end came before a task");
        }),
        [&] {
            shared.end(0);
            model::wait_until([&] { return again.load(std::memory_order_acquire); });
            shared.end(1);
        });
}

TEFF_SCENARIO(task_wait, a_fiber_waits_twice_for_one_worker) { a_fiber_waits_twice<1>(); }
TEFF_SCENARIO(task_wait, a_fiber_waits_twice_for_two_workers) { a_fiber_waits_twice<2>(); }
TEFF_SCENARIO(task_wait, a_fiber_waits_for_a_task_of_another_thread) { a_fiber_waits_for_tasks_of_other_threads<1>(); }
TEFF_SCENARIO(task_wait, a_fiber_waits_for_tasks_of_other_threads) { a_fiber_waits_for_tasks_of_other_threads<2>(); }

}  // namespace

std::span<const model::scenario> task_wait_scenarios() { return in_prepared_process(defined_here); }

}  // namespace scenarios
