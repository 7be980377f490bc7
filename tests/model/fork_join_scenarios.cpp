// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forks with the scheduler `demand`, their team and the pool's workers, all of them real. Each function is called once,
// its result arrives, no thread sleeps for ever, and no job is touched once its fork has returned.
//
// Jobs are on the heap here, and are freed where a fork would return, so a later access to a job is found. What a
// function leaves is ordinary memory, so a result that nothing orders is a data race. Exceptions cannot be caught
// across a scheduling point, so a scenario spells out what a fork does when its first function throws. Tasks of groups
// are in task_group_scenarios.cpp.
#include "definition.hpp"
#include "fork_join_kit.hpp"

#include <teff/base/allocation.hpp>
#include <teff/fork_join.hpp>
#include <teff/pool/pool.hpp>
#include <teff/team/task_team.hpp>

#include <cstddef>

namespace scenarios {
namespace {

template <class G>
forking::child<G&>* linked(G& second) {
    auto* const made = teff::create<forking::child<G&>>(second);
    forking::link(*made);
    return made;
}

// Does what forking::fork() does.
template <class F, class G>
unsigned fork(F&& first, G&& second) {
    auto* const made = linked(second);
    first();
    const unsigned result = forking::take_back(*made) ? second() : made->take_outcome();
    teff::destroy(made);
    return result;
}

void take_or_take_back(const char* scheduler) {
    teff::pool::instance().ensure_workers(1);
    visit first(0), second(1);
    {
        const open_team team(2, scheduler);
        second.expect(fork(first, second));
    }
    model::expect_taken_once(2);
}

TEFF_SCENARIO(fork_join, a_job_is_taken_or_taken_back) { take_or_take_back("demand"); }
// Sherwood gets every job. A wait that is over at once executes no fence, which could order the result.
TEFF_SCENARIO(fork_join, a_job_of_sherwood_is_taken_or_taken_back) { take_or_take_back("sherwood"); }

// Inside the first functions nothing calls the runtime until a worker has run the second ones.
template <unsigned Forks>
void jobs_are_taken_while_their_parent_computes() {
    teff::pool::instance().ensure_workers(1);
    visit inner(0), outer(1);
    const auto compute = [] {
        model::wait_until([] { return model::was_taken(0) && (Forks == 1 || model::was_taken(1)); });
        return 0U;
    };
    {
        const open_team team(2);
        const auto below = [&] {
            inner.expect(fork(compute, inner));
            return 0U;
        };
        if constexpr (Forks == 1)
            below();
        else
            outer.expect(fork(below, outer));
    }
    model::expect_taken_once(Forks);
}

// The jobs are shared together if both fit; the older one goes first.
template <unsigned Thieves, std::size_t Limit>
void two_jobs() {
    teff::pool::instance().ensure_workers(Thieves);
    visit innermost(0), younger(1), older(2);
    {
        const open_team team(1 + Thieves, "demand", Limit);
        older.expect(fork([&] { younger.expect(fork(innermost, younger)); }, older));
    }
    model::expect_taken_once(3);
}

// The job of a fork whose first function has thrown.
TEFF_SCENARIO(fork_join, a_job_is_dropped_while_it_is_taken) {
    teff::pool::instance().ensure_workers(1);
    visit second(0);
    {
        const open_team team(2);
        auto* const made = linked(second);
        const bool has_run = forking::drop(*made);
        model::check(has_run == model::was_taken(0), "a dropped job ran, or one that ran has no outcome");
        if (has_run) {
            second.expect(1);
            made->drop_outcome();
        }
        teff::destroy(made);
    }
}

// Two functions, neither of which ends before both have begun.
class rendezvous {
public:
    void join() noexcept {
        here_.fetch_add(1, std::memory_order_relaxed);
        model::wait_until([this] { return here_.load(std::memory_order_relaxed) == 2; });
    }

private:
    teff::atomic<unsigned> here_{0};
};

// The thief ends while the owner goes to sleep for its job: as a member that looks for work or, on a stack that is half
// used, as one that does not.
template <bool Blocks>
void an_owner_sleeps_for_its_job() {
    teff::pool::instance().ensure_workers(1);
    visit second(0);
    rendezvous both;
    {
        const open_team team(2);
        if (Blocks)
            teff::running_thread.stack.high = 0;
        const auto joined = [&] {
            both.join();
            return second();
        };
        second.expect(fork([&] { both.join(); }, joined));
    }
    model::expect_taken_once(1);
}

// Until is_over() holds, forks whenever a fork would not be plain.
template <class Condition>
void fork_until(Condition&& is_over) {
    while (!is_over()) {
        if (!forking::is_plain())
            teff::fork_join([] {}, [] {});
        model::yield();
    }
}

// The owner that waits for a thief runs the job that the thief forks.
TEFF_SCENARIO(fork_join, a_waiting_owner_helps_its_thief) {
    teff::pool::instance().ensure_workers(1);
    rendezvous outer;
    teff::atomic<bool> has_begun{false};
    visit nested(0);
    {
        const open_team team(2);
        const auto by_thief = [&] {
            outer.join();
            const auto joined = [&] {
                has_begun.store(true, std::memory_order_relaxed);
                return nested();
            };
            nested.expect(fork([&] { fork_until([&] { return has_begun.load(std::memory_order_relaxed); }); }, joined));
            return 1U;
        };
        fork([&] { outer.join(); }, by_thief);
    }
    model::expect_taken_once(1);
}

// A worker arrives and asks for work while an owner makes its forks plain: one of the two sees the other.
TEFF_SCENARIO(fork_join, a_request_meets_forks_that_become_plain) {
    const auto owner = [] {
        teff::atomic<bool> begun{false};
        visit second(0);
        const open_team team(2);
        const auto begin = [&] {
            begun.store(true, std::memory_order_relaxed);
            return second();
        };
        // With four jobs at hand there are enough, and forks become plain. The oldest is taken first.
        const auto nothing = [] { return 0U; };
        const auto fork_below = [&] { fork_until([&] { return begun.load(std::memory_order_relaxed); }); };
        const auto third = [&] { fork(fork_below, nothing); };
        const auto middle = [&] { fork(third, nothing); };
        second.expect(fork([&] { fork(middle, nothing); }, begin));
    };
    const auto starter = [] { teff::pool::instance().ensure_workers(1); };
    model::parallel(owner, starter);
    model::expect_taken_once(1);
}

// The same with a request to stop.
TEFF_SCENARIO(fork_join, a_stop_meets_forks_that_become_plain) {
    teff::atomic<teff::task_team*> opened{nullptr};
    teff::atomic<bool> has_asked{false};
    const auto owner = [&] {
        const open_team team(1);
        // release: the team can be used; partner: the acquire in the stopper.
        opened.store(&*team, std::memory_order_release);
        bool is_stopped = false;
        while (!is_stopped) {
            try {
                fork_until([] { return false; });
            } catch (const teff::stopped&) {
                is_stopped = true;
            }
        }
        // acquire: no other thread uses the team any more; partner: the release in the stopper.
        model::wait_until([&] { return has_asked.load(std::memory_order_acquire); });
    };
    const auto stopper = [&] {
        // acquire and release: partners of the two above.
        model::wait_until([&] { return opened.load(std::memory_order_acquire) != nullptr; });
        opened.load(std::memory_order_acquire)->begin_stop();
        has_asked.store(true, std::memory_order_release);
    };
    model::parallel(owner, stopper);
}

// After a stop, a job that has not begun is not called and has no result.
TEFF_SCENARIO(fork_join, a_stop_meets_a_shared_job) {
    teff::pool::instance().ensure_workers(1);
    visit second(0);
    const open_team team(2);
    auto* const made = linked(second);
    team->begin_stop();
    if (!forking::take_back(*made)) {
        bool is_stopped = false;
        try {
            second.expect(made->take_outcome());
        } catch (const teff::stopped&) {
            is_stopped = true;
        }
        model::check(is_stopped != model::was_taken(0), "a job was called and stopped, or neither");
    }
    teff::destroy(made);
}

TEFF_SCENARIO(fork_join, a_job_is_taken_while_its_parent_computes) { jobs_are_taken_while_their_parent_computes<1>(); }
TEFF_SCENARIO(fork_join, two_jobs_are_taken_while_their_parent_computes) {
    jobs_are_taken_while_their_parent_computes<2>();
}
TEFF_SCENARIO(fork_join, two_jobs_and_two_thieves) { two_jobs<2, 2>(); }
TEFF_SCENARIO(fork_join, two_jobs_of_which_one_is_refused) { two_jobs<1, 1>(); }
TEFF_SCENARIO(fork_join, an_owner_sleeps_for_its_job) { an_owner_sleeps_for_its_job<false>(); }
TEFF_SCENARIO(fork_join, an_owner_blocks_for_its_job) { an_owner_sleeps_for_its_job<true>(); }

}  // namespace

std::span<const model::scenario> fork_join_scenarios() { return in_prepared_process(defined_here); }

}  // namespace scenarios
