// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See sharing.hpp.
#include <teff/frontends/fork_join/sharing.hpp>

#include <teff/runtime/deferral.hpp>

namespace teff::forking {
namespace {

using namespace deferral;

// Other threads reach the job only through the queue, so every field that they read is written before the push.
bool share(task_member& self, strand& here, job& made) noexcept {
    // relaxed: the push publishes it.
    made.state.store(task_header::unfinished, std::memory_order_relaxed);
    made.is_shared = true;
    made.maker = &here;
    made.is_of_fiber = here.fiber != nullptr;
    made.around = here.around;
    if (!self.push(made)) [[unlikely]] {
        made.is_shared = false;
        return false;
    }
    ++here.shared;
    made.is_counted = true;
    return true;
}

// A fork may stay open long after another member has run its job, and until the parent knows that, the job counts
// against the limit of pending tasks. This function checks one job that is older than `made`; one is enough, since
// every refused push calls it. True: the job that was checked is now known to be taken.
bool forget_taken(strand& here, const job& made) noexcept {
    job* const older = here.look_at != nullptr ? here.look_at : made.before;
    if (older == nullptr)
        return false;
    here.look_at = older->before;
    // relaxed: a hint; nothing is read through it.
    const unsigned state = older->state.load(std::memory_order_relaxed);
    if (!older->is_counted || (state & (task_header::unfinished | task_header::begun)) == task_header::unfinished)
        return false;
    older->is_counted = false;
    --here.shared;
    return true;
}

}  // namespace

bool answer(task_member& self, job& made) noexcept {
    if (self.team().is_stopping())
        return false;
    strand& here = running_strand();
    if (self.team().shares_on_request()) {
        // In a team of one member no job is ever wanted.
        if (!self.team().is_alone()) {
            begin_burst(self);
            if (!share(self, here, made))
                self.count_run_at_once();
        }
        if (self.team().is_alone() || has_enough(self))
            be_plain(self);
        return true;
    }
    // A job that the scheduler refuses stays private, and the parent runs it after the first function. So do all jobs
    // that are made in the lower half of the stack: nested waits take the oldest task of a queue, not the smallest, and
    // would use up the stack.
    if (!is_in_upper_half() || (!share(self, here, made) && !(forget_taken(here, made) && share(self, here, made))))
        self.count_run_at_once();
    return true;
}

void took_back(task_member& self) noexcept {
    // After the outermost fork. A thread's own team ends only when the thread exits, so the counts are handed in here.
    if (!self.is_inside() && running_strand().youngest == nullptr) {
        end_burst(self);
        self.hand_in_counters();
    }
    request_if_due(self);
}

bool is_awaited(task_member& self) noexcept {
    if (!self.team().shares_on_request())
        return false;
    return self.team().is_alone() || (self.visible() == 0 && self.team().idle().any());
}

wait_rules rules_for_job(task_member& self, job& made) noexcept {
    return {.until = &made, .takes_others = may_take_others(self)};
}

}  // namespace teff::forking
