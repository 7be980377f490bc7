// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sharing jobs and waiting for jobs that were given; see sharing.hpp.
#include <teff/frontends/fork_join/sharing.hpp>

#include <teff/base/backoff.hpp>
#include <teff/base/clock.hpp>
#include <teff/team/deferral.hpp>

namespace teff::forking {
namespace {

using namespace deferral;

// How long a thread waits for a job that it has given, in cycles. Such a job usually begins when the caller's own part
// does, and takes as long. (1) The thread waits for `patience` without a look at the mailbox, which would take the
// cache line from the member. (2) It takes the job back, unless the member has taken it. (3) If the member has it, the
// thread waits for `quiet_wait` before it looks for other work: members that run parts of the same loop would have to
// answer its requests.
constexpr std::int64_t patience = 1 << 12, quiet_wait = 1 << 12;

// Writes all fields that other threads read. Call it before the job is put into a queue or a mailbox, which publishes
// them.
void prepare(strand& own_strand, job& made) noexcept {
    // relaxed: what makes the job visible publishes it.
    made.state.store(task_header::unfinished, std::memory_order_relaxed);
    made.is_shared = true;
    made.maker = &own_strand;
    made.is_of_fiber = own_strand.fiber != nullptr;
    made.around = own_strand.around;
}
bool share(task_member& self, strand& own_strand, job& made) noexcept {
    prepare(own_strand, made);
    if (!self.push(made)) [[unlikely]] {
        made.is_shared = false;
        return false;
    }
    ++own_strand.shared;
    made.is_counted = true;
    return true;
}

// A fork may stay open long after another member has taken its job. Until the parent notices that, the job counts
// against the limit of pending tasks. This function checks one job that is older than `made`. One is enough, since
// every refused push calls it. True: the checked job was taken and does not count any more.
bool forget_taken(strand& own_strand, const job& made) noexcept {
    job* const older = own_strand.scan_cursor != nullptr ? own_strand.scan_cursor : made.before;
    if (older == nullptr)
        return false;
    own_strand.scan_cursor = older->before;
    // relaxed: a hint; nothing is read through it.
    const unsigned state = older->state.load(std::memory_order_relaxed);
    if (!older->is_counted || (state & (task_header::unfinished | task_header::begun)) == task_header::unfinished)
        return false;
    older->is_counted = false;
    --own_strand.shared;
    return true;
}

}  // namespace

bool share_new_job(task_member& self, job& made) noexcept {
    if (self.team().is_stopping())
        return false;
    strand& own_strand = running_strand();
    if (self.team().shares_on_request()) {
        // In a team of one member no job is ever wanted.
        if (!self.team().is_alone()) {
            begin_burst(self);
            if (!share(self, own_strand, made))
                self.count_run_at_once();
        }
        if (self.team().is_alone() || has_enough(self))
            be_plain(self);
        return true;
    }
    // A job that the scheduler refuses stays private, and the parent runs it after the first function. So do all jobs
    // that are made in the lower half of the stack: nested waits take the oldest task of a queue, not the smallest, and
    // would use up the stack.
    if (!is_in_upper_half() ||
        (!share(self, own_strand, made) && !(forget_taken(own_strand, made) && share(self, own_strand, made))))
        self.count_run_at_once();
    return true;
}

void prepare_to_give(task_member& self, strand& own_strand, job& made) noexcept {
    begin_burst(self);
    prepare(own_strand, made);
    // relaxed: the mailbox publishes it. If the member has the job when the process forks, the child finds this mark.
    made.state.store(task_header::unfinished | task_header::begun, std::memory_order_relaxed);
}

given_state look_at_given(task_member* self, job& made) noexcept {
    if (self == nullptr)
        return made.given_to->retract(made) ? given_state::is_back : given_state::is_taken;
    const wait_condition end{made.state, task_header::unfinished};
    const auto ends_within = [&](std::int64_t cycles) {
        if (end.is_met())
            return true;
        for (const std::int64_t until = cycle_count() + cycles; cycle_count() < until;) {
            cpu_relax();
            if (end.is_met())
                return true;
        }
        return false;
    };
    if (ends_within(patience))
        return given_state::has_ended;
    if (made.given_to->retract(made)) {
        self->count_taken_back();
        return given_state::is_back;
    }
    return ends_within(quiet_wait) ? given_state::has_ended : given_state::is_taken;
}

void after_join(task_member& self) noexcept {
    // After the outermost fork the counters are handed in: a thread's own team ends only when the thread exits.
    if (!self.is_inside() && running_strand().youngest == nullptr) {
        end_burst(self);
        self.hand_in_counters();
    }
    request_if_due(self);
}

bool is_awaited(task_member& self) noexcept {
    if (!self.team().shares_on_request())
        return false;
    return self.team().is_alone() || (self.visible() == 0 && self.team().idle().any_at_once());
}

wait_rules rules_for_job(task_member& self, job& made) noexcept {
    return {.until = &made, .takes_others = may_take_others(self)};
}

}  // namespace teff::forking
