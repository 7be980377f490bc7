// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The waits for tasks, and the rule which tasks may run meanwhile; see wait.hpp.
#include <teff/frontends/openmp/core/tasks/wait.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/backoff.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/tasks/run.hpp>
#include <teff/frontends/openmp/core/tasks/task_reduction.hpp>
#include <teff/team/deferral.hpp>

namespace teff::openmp {
namespace {

// Whether a task that is a member of the family `offered` descends from the owner of the family `waiting`.
bool descends(const family* offered, const family* waiting) noexcept {
    for (; offered != nullptr && offered->depth >= waiting->depth; offered = offered->above)
        if (offered == waiting)
            return true;
    return false;
}
bool is_inside(const taskgroup* offered, const taskgroup* waiting) noexcept {
    for (; offered != nullptr && offered->depth >= waiting->depth; offered = offered->outer)
        if (offered == waiting)
            return true;
    return false;
}

struct waiting_task {
    const family* children;
    const taskgroup* group;
};
bool may_run(const task_header& offered, const void* context) noexcept {
    if (offered.run != &run_queued)
        return true;
    const deferred_task& other = deferred_task::of(const_cast<task_header&>(offered));
    const auto& waiting = *static_cast<const waiting_task*>(context);
    return other.is(task::is_untied) || (waiting.children != nullptr && descends(other.siblings, waiting.children)) ||
           (waiting.group != nullptr && is_inside(other.group, waiting.group));
}

// Runs the member's own queued tasks until the latch is zero. False: it is not zero, and no task is queued.
bool runs_all(task_member& self, const count_latch& latch, const take_rules& may_run) noexcept {
    while (task_header* const own = self.take(may_run)) {
        self.run(*own);
        if (latch.is_over())
            return true;
    }
    return false;
}
// Called when the thread has run all tasks of a wait itself. It still queues its next tasks, for threads that will be
// idle. But a task that waits after each task that it makes has queued them in vain while all other threads were busy.
// So after some such waits its tasks are plain calls, until a thread asks for one.
void end_unshared_wait(task_member& self, family* children) noexcept {
    constexpr unsigned most_in_vain = 3;
    if (children != nullptr && ++children->unshared_waits > most_in_vain)
        deferral::be_plain_if_shared(self);
    else
        deferral::request_if_due(self);
}

// In a team of one thread: runs the tasks that were handed to it, until the latch is zero.
[[gnu::noinline]] void wait_alone(place& caller, const count_latch& latch) noexcept {
    for (;;) {
        const std::uint32_t seen = caller.handed.changes();
        while (task_header* const handed = caller.handed.take())
            handed->run(*handed);
        if (latch.is_over())
            return;
        caller.handed.sleep(seen);
    }
}

}  // namespace

void wait_for_children(place& caller) noexcept {
    if (family* const children = caller.current->children; children != nullptr)
        wait_for(caller, children->unfinished, nullptr);
}

void wait_for(place& caller, count_latch& latch, const taskgroup* group) noexcept {
    if (latch.is_over())
        return;
    task_member* const self = running_thread.member;
    if (self == nullptr || caller.size == 1)
        return wait_alone(caller, latch);
    family* const children = caller.current->children;
    const waiting_task waiting{children, group};
    wait_rules rules = deferral::rules_for_wait(*self);
    rules.may_run = {&may_run, &waiting};
    if (!rules.leaves_own && runs_all(*self, latch, rules.may_run))
        return end_unshared_wait(*self, children);
    if (children != nullptr)
        children->unshared_waits = 0;
    self->wait({latch.word(), count_latch::unfinished, &latch}, rules);
    deferral::request_if_due(*self);
    // In the child of a fork() the wait may end early.
    for (backoff pause; !latch.is_over();)
        pause.pause();
}

void begin_taskgroup(place& caller, bool is_of_construct) noexcept {
    auto* const made = create<taskgroup>(is_of_construct);
    if (made == nullptr)
        fatal("OpenMP", "there is no memory for a taskgroup", "give the process more memory");
    made->outer = caller.current->group;
    made->depth = made->outer == nullptr ? 0 : made->outer->depth + 1;
    caller.current->group = made;
    events::taskgroup_begins();
}

void end_taskgroup(place& caller) noexcept {
    taskgroup* const ended = caller.current->group;
    {
        // Not longer: a tool for races then knows that the tasks have ended, whose copies are combined below.
        const events::sync_region waits(events::sync_kind::taskgroup);
        wait_for(caller, ended->unfinished, ended);
    }
    if (ended->reductions != nullptr) [[unlikely]]
        end_reductions(caller, *ended);
    caller.current->group = ended->outer;
    destroy(ended);
}

bool run_a_descendant(place& caller) noexcept {
    task_member* const self = running_thread.member;
    if (self == nullptr || caller.size == 1) {
        task_header* const handed = caller.handed.take();
        if (handed != nullptr)
            handed->run(*handed);
        return handed != nullptr;
    }
    const waiting_task waiting{caller.current->children, nullptr};
    task_header* const taken = self->take({&may_run, &waiting});
    if (taken != nullptr)
        self->run(*taken);
    return taken != nullptr;
}

void yield_to_task(place& caller) noexcept {
    const family* const children = caller.current->children;
    if (children != nullptr && !children->unfinished.is_over())
        run_a_descendant(caller);
}

}  // namespace teff::openmp
