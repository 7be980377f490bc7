// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mailbox: of the owner, the threads that put tasks in, and a thread that takes its task back, exactly one has each
// task in the end, and sees what came before it was put in. And forks that give their jobs to a member of the team
// (crew.hpp): each function is called once, and no job is touched once its fork has returned.
#include "definition.hpp"
#include "fork_join_kit.hpp"

#include <teff/frontends/fork_join/crew.hpp>
#include <teff/pool/pool.hpp>
#include <teff/queue/mailbox.hpp>

namespace scenarios {
namespace {

struct letter {
    unsigned number = 0;
    void deliver() const { model::take(number); }
};
using box = teff::mailbox<letter>;

// The owner takes what is put in while it looks, or when it closes the mailbox. The others keep what was not taken.
template <bool Retracts>
void give(box& to, letter& mine, unsigned number) {
    mine.number = number;
    if (!to.put(mine) || (Retracts && to.retract(mine)))
        mine.deliver();
}
void wait_some_time(box& own) {
    own.open();
    letter* taken = own.take();
    if (taken == nullptr)
        taken = own.close();
    if (taken != nullptr)
        taken->deliver();
}

template <bool Retracts>
void one_giver() {
    box to;
    letter first;
    model::parallel([&] { wait_some_time(to); }, [&] { give<Retracts>(to, first, 0); });
    model::expect_taken_once(1);
}
template <bool Retracts>
void two_givers() {
    box to;
    letter first, second;
    model::parallel([&] { wait_some_time(to); }, [&] { give<Retracts>(to, first, 0); },
                    [&] { give<false>(to, second, 1); });
    model::expect_taken_once(2);
}
// An owner that goes on looking gets the task, also after it was taken back: each waits for the other.
TEFF_SCENARIO(mailbox, what_is_put_in_arrives) {
    box to;
    letter mine;
    model::parallel(
        [&] {
            letter* taken = nullptr;
            model::wait_until([&] { return (taken = to.take()) != nullptr; });
            taken->deliver();
        },
        [&] {
            model::wait_until([&] { return to.put(mine); });
            if (to.retract(mine))
                model::wait_until([&] { return to.put(mine); });
        });
    model::expect_taken_once(1);
}
// The memory of a task that was taken back holds the next task.
TEFF_SCENARIO(mailbox, memory_is_used_again) {
    box to;
    letter mine;
    model::parallel(
        [&] {
            wait_some_time(to);
            wait_some_time(to);
        },
        [&] {
            mine.number = 0;
            if (to.put(mine) && !to.retract(mine)) {
                model::wait_until([] { return model::was_taken(0); });
                return model::take(1);
            }
            mine.deliver();
            give<false>(to, mine, 1);
        });
    model::expect_taken_once(2);
}

// A worker waits at its mailbox while it searches, and after a job that came from there.
template <unsigned Forks>
void jobs_are_given_to_a_worker() {
    teff::pool::instance().ensure_workers(1);
    {
        const open_team team(2);
        for (unsigned i = 0; i < Forks; ++i) {
            visit first(2 * i), second(2 * i + 1);
            unsigned of_first = 0, of_second = 0;
            struct job_function {
                visit& called;
                unsigned& result;
                void operator()() const noexcept { result = called(); }
            };
            const auto call_first = [&](const forking::crew& before) {
                model::check(before.is_empty(), "a crew of one has members left");
                of_first = first();
            };
            if (!forking::fork_to_any(forking::others(1), call_first, job_function{second, of_second})) {
                of_first = first();
                of_second = second();
            }
            first.expect(of_first);
            second.expect(of_second);
        }
    }
    model::expect_taken_once(2 * Forks);
}

TEFF_SCENARIO(mailbox, one_giver) { one_giver<false>(); }
TEFF_SCENARIO(mailbox, one_giver_that_retracts) { one_giver<true>(); }
TEFF_SCENARIO(mailbox, two_givers) { two_givers<false>(); }
TEFF_SCENARIO(mailbox, two_givers_of_which_one_retracts) { two_givers<true>(); }
TEFF_SCENARIO(mailbox, a_job_is_given_to_a_worker) { jobs_are_given_to_a_worker<1>(); }
TEFF_SCENARIO(mailbox, two_jobs_are_given_to_a_worker) { jobs_are_given_to_a_worker<2>(); }

}  // namespace

std::span<const model::scenario> mailbox_scenarios() { return defined_here; }

}  // namespace scenarios
