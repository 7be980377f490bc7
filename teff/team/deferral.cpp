// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides whether a task is queued or called at once; see deferral.hpp.
#include <teff/team/deferral.hpp>

#include <teff/base/asymmetric_fence.hpp>
#include <teff/base/request_mark.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/stack.hpp>

#include <algorithm>

namespace teff::deferral {
namespace {

bool has_room_for_task(task_member& self, unsigned siblings, bool visits) noexcept {
    const bool shares_on_request = self.team().shares_on_request();
    if (self.team().is_alone()) {
        be_plain_if_shared(self);
        return false;
    }
    if (self.team().how().queues_all)
        return true;
    // A thread that submits from outside any task to tasks of another thread may never return here, so the task runs
    // at once.
    if ((visits && !self.is_inside()) || (siblings >= max_pending_siblings && !self.team().idle().any()))
        return false;
    if (!shares_on_request)
        return is_in_upper_half();
    // A member with this many visible tasks runs further tasks at once, until a thief that has taken the last visible
    // one sends a request.
    const unsigned enough_visible = std::max(8U, 2 * self.team().how().settings.slots);
    if (self.visible() < enough_visible)
        return true;
    be_plain(self);
    return false;
}

}  // namespace

void request_self() noexcept {
    // relaxed: only this thread needs to see it.
    running_thread.limit.store(thread_context::requested, std::memory_order_relaxed);
}

void be_plain(task_member& self) noexcept {
    if (self.team().how().queues_all)
        return request_self();
    // A worker that pushes a task that it has made ready may never have forked, so its stack may not be measured yet.
    // relaxed: ordered by the fence below.
    running_thread.limit.store(measured_stack().limit, std::memory_order_relaxed);
    // seq_cst: the mark is reset before we check for idle workers and for a stop; partner: the fence in
    // split_deque::ask(). The argument is at the top of split_deque.hpp.
    teff::atomic_thread_fence(std::memory_order_seq_cst);
    if (self.team().is_stopping() || (self.visible() == 0 && self.team().idle().any_at_once()))
        request_self();
}

// A burst begins with the first job or task that a team's caller shares outside of any task. Where the system has no
// heavy fences, no thread could take private tasks from a thread in a long function, so no team may become quiet.
void begin_burst(task_member& self) noexcept {
    if (self.is_caller_outside_tasks() && may_use_heavy_fence() && !self.team().is_in_burst())
        self.team().begin_burst(self);
}
void end_burst(task_member& self) noexcept {
    if (self.is_caller_outside_tasks() && self.team().is_in_burst())
        self.team().end_burst(self);
}

bool is_in_upper_half() noexcept { return measured_stack().is_in_upper_half(stack_pointer()); }

bool wants_task(task_member& self, unsigned siblings, bool visits) noexcept {
    const bool wants = has_stack() ? has_room_for_task(self, siblings, visits) : !visits || self.is_inside();
    if (!wants)
        self.count_run_at_once();
    return wants;
}

bool queue_outside_tasks(task_member& self, task_header& made) noexcept {
    const bool shares_on_request = self.team().shares_on_request();
    if (shares_on_request)
        begin_burst(self);
    if (!self.push(made))
        return false;
    // Outside any task the caller may never call the runtime again. Where idle workers cannot use force, all its tasks
    // are made visible.
    if (shares_on_request && !may_use_heavy_fence())
        self.show_all();
    return true;
}

void queue_surely(task_member& self, task_header& made) noexcept {
    if (!queue(self, made))
        self.team().inject(made);
}

bool submit(task_member& self, task_header& made, unsigned siblings) noexcept {
    if (!queue(self, made)) {
        if (!has_stack()) {
            self.team().inject(made);
            return true;
        }
        self.count_run_at_once();
        return false;
    }
    if (self.team().shares_on_request()) {
        // Tasks of the same parent count as one: the caller may have many more of them.
        const std::size_t queued = self.queued();
        if (queued - std::min<std::size_t>(queued, siblings) + 1 >= min_queued)
            be_plain(self);
    }
    return true;
}

// A waiting thread may run tasks of other members. With a scheduler that shares on request it may do so only in the
// upper half of its stack, which is used first. With any other scheduler it always may: no jobs are pushed in the lower
// half there, and a task that is bound to this member cannot be left to another member.
bool may_take_others(task_member& self) noexcept { return !self.team().shares_on_request() || is_in_upper_half(); }

// When the stack is used up, the member leaves its own tasks to other members while one is idle and can take them all.
// That needs a scheduler that shares on request: with one that binds tasks to a member, no other member could.
wait_rules rules_for_wait(task_member& self) noexcept {
    return {.takes_others = may_take_others(self),
            .leaves_own = self.team().shares_on_request() && !has_stack()};
}

}  // namespace teff::deferral
