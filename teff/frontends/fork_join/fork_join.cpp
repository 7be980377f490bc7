// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The out-of-line parts of a fork: how a job is added to the strand's list of open forks (job.hpp), taken back, and
// handled by a thread that took it from a queue.
#include <teff/base/sanitizers.hpp>
#include <teff/frontends/fork_join/execute.hpp>
#include <teff/frontends/fork_join/sharing.hpp>
#include <teff/pool/work_source.hpp>
#include <teff/strand/more_stack.hpp>
#include <teff/strand/stack.hpp>
#include <teff/team/session.hpp>

namespace teff {

const char* stopped::what() const noexcept { return "teff: the work was asked to stop"; }

}  // namespace teff

namespace teff::forking {

void attach() {
    // A thread without a team but with open forks is in the child of a POSIX fork(): its team was orphaned, that is,
    // the other members do not exist here. It gets no new team, so its inner forks run on this thread alone.
    if (running_thread.member == nullptr && running_strand().youngest == nullptr) {
        require_stack(queueing_use);
        begin_session();
    }
}

bool link(job& made) {
    if (!has_stack())
        return false;
    attach();
    strand& own_strand = running_strand();
    made.before = own_strand.youngest;
    own_strand.youngest = &made;
    if (running_thread.member == nullptr || share_new_job(*running_thread.member, made))
        return true;
    own_strand.youngest = made.before;
    throw_stopped();
}

void fork_on_more_stack(void (*function)(void*), void* argument) {
    if (!call_on_more_stack(function, argument))
        throw_stack_exhausted(forks_use);
}

// For a thread without a team this returns true, so that the caller forks: the fork makes the team.
bool is_awaited() noexcept { return running_thread.member == nullptr || is_awaited(*running_thread.member); }

void throw_stopped() { throw stopped(); }

void require_run(const job& taken) {
    // relaxed: the wait in take_back() has read the final state with acquire.
    if ((taken.state.load(std::memory_order_relaxed) & task_header::has_run) == 0)
        throw_stopped();
}

namespace {

// Removes the youngest job from the strand's list. Called after the wait for the job, not before it, since a thread
// that waits must count as inside a fork. Out of line: the wait may have run any code, so no address of thread-local
// storage may be kept across it.
[[gnu::noinline]] void unlink(job& made) noexcept {
    strand& own_strand = running_strand();
    own_strand.youngest = made.before;
    if (own_strand.scan_cursor == &made)
        own_strand.scan_cursor = made.before;
    if (made.is_counted)
        --own_strand.shared;
    if (running_thread.member != nullptr)
        after_join(*running_thread.member);
}

}  // namespace

bool take_back(job& made) noexcept {
    task_member* const self = running_thread.member;
    bool is_ours = !made.is_shared, is_over = is_ours;
    if (made.given_to != nullptr && !is_over) {
        const given_state now = look_at_given(self, made);
        is_ours = now == given_state::is_back;
        is_over = now != given_state::is_taken;
    }
    if (!is_over && self != nullptr && self->takes_newest() && self->take_back(made)) {
        // No other thread has taken the job, so there is nothing to wait for.
        is_ours = true;
    } else if (!is_over) {
        const wait_condition end{made.state, task_header::unfinished};
        is_ours = self != nullptr ? self->wait(end, rules_for_job(*self, made)) : is_left_to_child(end, &made);
    }
    unlink(made);
    return is_ours;
}

bool drop(job& made) noexcept {
    if (made.is_shared)
        // relaxed: a hint for the thread that takes it.
        made.state.fetch_or(task_header::cancelled, std::memory_order_relaxed);
    // relaxed: as in require_run().
    return !take_back(made) && (made.state.load(std::memory_order_relaxed) & task_header::has_run) != 0;
}

namespace {

// If the fiber is suspended until the job's end (`has_waiter`), the fiber and the job exist until the fiber is woken.
// Otherwise both may be gone as soon as the end is stored.
void end_for_fiber(job& ended, std::uint32_t end, task_team& team) noexcept {
    const strand& maker = *ended.maker;
    // release: as in ~taken_job(). acquire: the wait can be read and woken; partner: the release in
    // threads::wait_for_job().
    if ((ended.state.exchange(end, std::memory_order_acq_rel) & task_header::has_waiter) != 0)
        maker.parked->wake(*maker.parked);
    else
        // The job may have been made by a task on top of the fiber's stack, which waits as a thread does
        // (fiber_member.hpp).
        team.notify_waiters();
}

}  // namespace

taken_job::taken_job(job& taken) noexcept : job_(taken), team_(running_thread.member->team()) {
    // relaxed: `cancelled` is a hint. `begun` has two readers: is_left_to_child(), in the child of a POSIX fork(),
    // which has one thread; and forget_taken() (sharing.cpp), which reads nothing through it.
    // A job that was given has been marked by its maker, and is not cancelled.
    const unsigned before =
        taken.given_to != nullptr ? 0 : taken.state.fetch_or(task_header::begun, std::memory_order_relaxed);
    // If another strand made the job, that strand corrects its count itself (forget_taken() in sharing.cpp, or
    // unlink()).
    strand& own_strand = running_strand();
    if (taken.maker == &own_strand && taken.is_counted) {
        taken.is_counted = false;
        --own_strand.shared;
    }
    is_to_run_ = !team_.is_stopping() && (before & task_header::cancelled) == 0;
}

taken_job::~taken_job() {
    const std::uint32_t end = is_to_run_ ? task_header::has_run : 0;
    task_team& team = team_;
    sanitizers::happens_before(job_.state.address());
    if (job_.is_of_fiber) [[unlikely]] {
        end_for_fiber(job_, end, team);
        return;
    }
    // release: the thread that waits for the job sees everything that the job did; partner: the acquire in
    // wait_condition::is_met(). From here on the job may be destroyed, hence the copy of `team_`.
    job_.state.store(end, std::memory_order_release);
    team.notify_waiters();
}

}  // namespace teff::forking
