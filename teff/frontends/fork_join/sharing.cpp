// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See sharing.hpp.
#include <teff/frontends/fork_join/sharing.hpp>

#include <teff/base/asymmetric_fence.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/runtime/stack.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace teff::forking {
namespace {

// A member with this many queued tasks has enough in reserve for the workers that will ask next.
constexpr std::size_t at_hand = 4;

bool has_enough(task_member& self) noexcept { return self.queued() >= at_hand; }

void request_self() noexcept {
    // relaxed: only this thread needs to see it.
    running_thread.limit.store(thread_context::requested, std::memory_order_relaxed);
}

void be_plain(task_member& self) noexcept {
    // A worker that pushes a task that it has made ready may never have forked, so its stack may not be measured yet.
    // relaxed: ordered by the fence below.
    running_thread.limit.store(measured_stack().limit, std::memory_order_relaxed);
    // seq_cst: the mark is reset before we check for idle workers and for a stop; partner: the fence in
    // split_deque::ask(). The argument is at the top of split_deque.hpp.
    teff::atomic_thread_fence(std::memory_order_seq_cst);
    if (self.team().is_stopping() || (self.team().idle().any() && self.visible() == 0))
        request_self();
}

// A burst (scheduler/short_bursts.hpp) begins with the first job or task that a team's caller shares outside of any
// task. Without heavy fences nobody could take private tasks from a thread in a long function, so that no team may be
// quiet.
void begin_burst(task_member& self) noexcept {
    if (self.is_caller_outside_tasks() && may_use_heavy_fence() && !self.team().is_in_burst())
        self.team().begin_burst(self);
}
void end_burst(task_member& self) noexcept {
    if (self.is_caller_outside_tasks() && self.team().is_in_burst())
        self.team().end_burst();
}

// Other threads reach the job only through the queue, so every field that they read is written before the push.
bool share(task_member& self, strand& here, job& made) noexcept {
    // relaxed: the push publishes it.
    made.state.store(task_header::unfinished, std::memory_order_relaxed);
    made.is_shared = true;
    made.maker = &here;
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

std::uintptr_t here_on_stack() noexcept { return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); }
bool is_in_upper_half() noexcept { return running_strand().stack->is_in_upper_half(here_on_stack()); }

// Whether a waiting thread may run tasks of other members. With a scheduler that shares on request it may do so only in
// the upper half of its stack, which is used first. With any other scheduler it always may: no jobs are pushed in the
// lower half there, and a task that is bound to this member cannot be left to another one.
bool may_take_others(task_member& self) noexcept { return !self.team().shares_on_request() || is_in_upper_half(); }

bool has_room_for_task(task_member& self, unsigned siblings, bool visits) noexcept {
    const bool shares_on_request = self.team().shares_on_request();
    if (self.team().is_alone()) {
        if (shares_on_request)
            be_plain(self);
        return false;
    }
    // A thread that submits from outside any task to a group of another thread may never return here, so the task runs
    // at once.
    if ((visits && !self.is_inside()) || (siblings >= group_state::plenty && !self.team().idle().any()))
        return false;
    if (!shares_on_request)
        return is_in_upper_half();
    // With this many visible tasks a member runs further ones at once.
    const unsigned enough_visible = std::max(8U, 2 * self.team().how().settings.slots);
    return self.visible() < enough_visible;
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
    if (self.team().shares_on_request() && !self.team().is_alone() && !has_enough(self))
        request_self();
}

bool is_awaited(task_member& self) noexcept {
    if (!self.team().shares_on_request())
        return false;
    return self.team().is_alone() || (self.visible() == 0 && self.team().idle().any());
}

bool wants_task(task_member& self, unsigned siblings, bool visits) noexcept {
    const bool wants = has_room_for_task(self, siblings, visits);
    if (!wants)
        self.count_run_at_once();
    return wants;
}

bool submit(task_member& self, task_header& made, unsigned siblings) noexcept {
    if (self.team().shares_on_request())
        begin_burst(self);
    if (!self.push(made)) {
        self.count_run_at_once();
        return false;
    }
    if (self.team().shares_on_request()) {
        // Outside any task the caller may never call the runtime again. Where idle workers cannot use force, all its
        // tasks are made visible, or run.
        if (!self.is_inside() && !may_use_heavy_fence())
            self.show_all();
        // The group's own tasks count as one: the caller may have many more for it.
        const std::size_t queued = self.queued();
        if (queued - std::min<std::size_t>(queued, siblings) + 1 >= at_hand)
            be_plain(self);
    }
    return true;
}

wait_rules rules_for_job(task_member& self, const job& made) noexcept {
    return {.until = &made, .takes_others = may_take_others(self)};
}

// When the stack is used up, the member leaves its own tasks to other members while one is idle and can take them all.
// That needs a scheduler that shares on request: with one that binds tasks to a member, no other member could.
wait_rules rules_for_group(task_member& self) noexcept {
    return {.takes_others = may_take_others(self),
            .leaves_own = self.team().shares_on_request() && running_strand().stack->is_below_limit(here_on_stack())};
}

}  // namespace teff::forking
