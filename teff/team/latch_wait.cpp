// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wait for a count latch, by kind of thread; see latch_wait.hpp.
#include <teff/team/latch_wait.hpp>

#include <teff/pool/idle_sleep.hpp>
#include <teff/pool/pool.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/running_thread.hpp>
#include <teff/strand/stack.hpp>
#include <teff/team/deferral.hpp>

namespace teff {

void wait_for(count_latch& awaited, const wait_reason& why) noexcept {
    if (awaited.is_over())
        return;
    task_member* const self = running_thread.member;
    if (self == nullptr)
        return sleep_until_over(awaited, why);
    measured_stack();
    wait_rules rules = deferral::rules_for_wait(*self);
    rules.why = &why;
    // The count was zero at some time of the wait. Since then other threads may have counted tasks that nothing but a
    // thread in this member's slot can run, so there is no second look.
    [[maybe_unused]] const bool taken_back =
        self->wait({awaited.word(), count_latch::unfinished, &awaited}, rules);
}

void sleep_until_over(count_latch& latch, const wait_reason& what) noexcept {
    const wait_condition awaited{latch.word(), count_latch::unfinished, &latch};
    event_count own;
    latch_watch watching(awaited, own);
    own.begin_search();
    while (!awaited.is_met())
        sleep_unless(
            own,
            [&] {
                watching.begin();
                return awaited.is_met();
            },
            [&](std::uint32_t ticket) {
                wait_reason why = what;
                why.task = running_strand().around.task;
                pool::instance().sleep_in_wait(own, ticket, why);
            });
    own.end_search();
}

}  // namespace teff
