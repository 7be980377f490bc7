// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deferred tasks: memory, counting, running, and waiting for them.
#include <teff/frontends/openmp/core/task.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/backoff.hpp>
#include <teff/frontends/openmp/core/cancellation.hpp>
#include <teff/frontends/openmp/core/completion_event.hpp>
#include <teff/frontends/openmp/core/dependences.hpp>
#include <teff/frontends/openmp/core/run_at_once.hpp>
#include <teff/frontends/openmp/core/task_memory.hpp>
#include <teff/frontends/openmp/core/taskgroup.hpp>
#include <teff/frontends/openmp/core/team.hpp>
#include <teff/runtime/deferral.hpp>
#include <teff/runtime/stack.hpp>

namespace teff::openmp {
namespace {

void run_queued(task_header& header) noexcept;

// False: the scheduler has refused it.
bool queue(place& here, deferred_task& ready) noexcept {
    task_member* const self = running_thread.member;
    if (here.size == 1) {
        // A thread alone calls its tasks, unless that would nest too deep.
        if (has_stack())
            return false;
        here.handed.put(ready.memory());
        return true;
    }
    return self != nullptr && deferral::submit(*self, ready.memory(), ready.siblings->unfinished.size());
}

// Runs a task that was counted.
void run_one(place& here, deferred_task& self, depend::ready_list& refused) noexcept {
    if (self.dependences != nullptr && !lock_objects(*self.dependences)) [[unlikely]]
        return;
    task* const before = here.current;
    here.current = &self;
    const bool was_called = call_parts(here, self);
    here.current = before;
    // A task that was not called fulfils no event.
    if (self.event != nullptr && was_called && !function_returned(self)) [[unlikely]]
        return;
    complete(here, self, refused);
}
void run_all(place& here, depend::ready_list& refused) noexcept {
    while (depend::tracked_task* const next = refused.pop())
        run_one(here, task_of(*next), refused);
}

void run_queued(task_header& header) noexcept {
    place& here = this_place();
    depend::ready_list refused;
    run_one(here, deferred_task::of(header), refused);
    if (!refused.empty()) [[unlikely]]
        run_all(here, refused);
}

// Whether a task with the family `offered` in its chain of ancestors' families descends from the owner of `waiting`.
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

// Runs what the member has queued, until the latch is zero. False: it is not zero, and nothing is queued.
bool runs_all(task_member& self, const count_latch& latch, const take_rules& may_run) noexcept {
    while (task_header* const own = self.take(may_run)) {
        self.run(*own);
        if (latch.is_over())
            return true;
    }
    return false;
}
// The thread has run all tasks that it waited for. It queues its next ones, too, for the threads that will be idle. But
// a task that waits again and again, as for each task that it makes, has then queued them in vain while the other
// threads were busy. So after some such waits its tasks are plain calls, until a thread asks for one.
void end_unshared_wait(task_member& self, family* children) noexcept {
    constexpr unsigned most_in_vain = 3;
    if (children != nullptr && ++children->unshared_waits > most_in_vain)
        deferral::be_plain_if_shared(self);
    else
        deferral::request_if_due(self);
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

}  // namespace

family::~family() { end_table(dependences); }

void leave(family& left) noexcept {
    family* each = &left;
    while (each != nullptr) {
        // release: our uses come before the end of the object; acquire: so do those of the other users, whose release
        // this reads.
        if (each->users.fetch_sub(1, std::memory_order_acq_rel) != 1)
            return;
        family* const above = each->above;
        destroy(each);
        each = above;
    }
}

bool wants_to_defer(place& here) noexcept {
    task_member* const self = running_thread.member;
    if (here.current->is(task::is_final))
        return false;
    if (self == nullptr || here.size == 1)
        return !has_stack();
    const family* const children = here.current->children;
    return deferral::wants_task(*self, children == nullptr ? 0 : children->unfinished.size(), false);
}

family& family_of(task& parent) noexcept {
    if (parent.children != nullptr)
        return *parent.children;
    family* above = nullptr;
    for (const task* each = &parent; above == nullptr; each = each->parent)
        above = each != &parent && each->children != nullptr ? each->children : each->siblings;
    auto* const made = create<family>();
    if (made == nullptr)
        end_without_memory_for_task();
    made->above = above;
    made->depth = above->depth + 1;
    // relaxed: the calling thread is a user already.
    above->users.fetch_add(1, std::memory_order_relaxed);
    parent.children = made;
    parent.flags |= task::owns_family;
    return *made;
}

void count_child(place& here, deferred_task& made) noexcept {
    task& parent = *here.current;
    family& siblings = family_of(parent);
    made.flags |= task::is_explicit | task::is_deferred | (parent.flags & task::is_final);
    made.siblings = &siblings;
    made.group = parent.group;
    made.environment = parent.environment;
    // The maker may end before this task, and with it an environment that is not the team's.
    if (made.environment != &here.in->environment) [[unlikely]]
        keep_environment(made);
    // relaxed: the calling thread is a user already.
    siblings.users.fetch_add(1, std::memory_order_relaxed);
    siblings.unfinished.count_up();
    if (made.group != nullptr)
        made.group->unfinished.count_up();
    // A team of several threads counts its tasks itself (runtime/region_barrier.hpp).
    if (here.size == 1)
        here.unfinished.count_up();
    made.memory().run = &run_queued;
}

void make_ready(place& here, deferred_task& ready) noexcept {
    if (!queue(here, ready))
        run_queued(ready.memory());
}

void make_ready(place& here, depend::ready_list& ready) noexcept {
    depend::ready_list refused;
    while (depend::tracked_task* const next = ready.pop()) {
        if (!queue(here, task_of(*next)))
            refused.push(*next);
    }
    run_all(here, refused);
}

void hand_out(place& here, depend::ready_list& ready) noexcept {
    while (depend::tracked_task* const next = ready.pop()) {
        task_header& header = task_of(*next).memory();
        if (task_member* const self = running_thread.member; self != nullptr && here.size > 1)
            self->team().inject(header);
        else
            here.handed.put(header);
    }
}

void defer(place& here, deferred_task& made) noexcept {
    count_child(here, made);
    make_ready(here, made);
}

void run_counted(place& here, deferred_task& made) noexcept {
    count_child(here, made);
    run_queued(made.memory());
}

bool call_parts(place& here, deferred_task& self) noexcept {
    if (is_dropped(here, self.group) && !self.is(task::is_always_called)) [[unlikely]] {
        self.flags |= task::was_dropped;
        if (self.is(task::destroys_data))
            self.call(self);
        return false;
    }
    do {
        self.is_resubmitted = false;
        self.call(self);
    } while (self.is_resubmitted);
    return true;
}

void run_now(place& here, deferred_task& made) noexcept {
    begin_now(here, made);
    call_parts(here, made);
    end_now(here, made);
}

void complete(place& here, deferred_task& ended, depend::ready_list& refused) noexcept {
    if (ended.dependences != nullptr) [[unlikely]] {
        depend::ready_list ready;
        release(here, *ended.dependences, ready);
        while (depend::tracked_task* const next = ready.pop()) {
            if (!queue(here, task_of(*next)))
                refused.push(*next);
        }
    }
    count_latch* awaited = nullptr;
    if (ended.event != nullptr) [[unlikely]] {
        awaited = ended.event->awaited;
        if (ended.is(task::was_dropped))
            drop(*ended.event);
        else
            destroy(ended.event);
    }
    if (ended.is(task::owns_something)) [[unlikely]]
        release_owned(ended);
    family& siblings = *ended.siblings;
    taskgroup* const group = ended.group;
    free_task(here, ended);
    if (awaited != nullptr) [[unlikely]]
        awaited->count_down();
    if (group != nullptr)
        group->unfinished.count_down();
    siblings.unfinished.count_down();
    leave(siblings);
    if (here.size == 1)
        here.unfinished.count_down();
}

void wait_for(place& here, count_latch& latch, const taskgroup* group) noexcept {
    if (latch.is_over())
        return;
    task_member* const self = running_thread.member;
    if (self == nullptr || here.size == 1)
        return wait_alone(here, latch);
    family* const children = here.current->children;
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

void wait_for_children(place& here) noexcept {
    if (family* const children = here.current->children; children != nullptr)
        wait_for(here, children->unfinished, nullptr);
}

const deferred_task* as_queued_task(const task_header& some) noexcept {
    return some.run == &run_queued ? &deferred_task::of(const_cast<task_header&>(some)) : nullptr;
}

bool run_a_descendant(place& here) noexcept {
    task_member* const self = running_thread.member;
    if (self == nullptr || here.size == 1) {
        task_header* const handed = here.handed.take();
        if (handed != nullptr)
            handed->run(*handed);
        return handed != nullptr;
    }
    const waiting_task waiting{here.current->children, nullptr};
    task_header* const taken = self->take({&may_run, &waiting});
    if (taken != nullptr)
        self->run(*taken);
    return taken != nullptr;
}

icvs& own_environment(place& here) noexcept {
    task& running = *here.current;
    if (!running.is(task::owns_environment))
        keep_environment(running);
    return const_cast<icvs&>(*running.environment);
}

void keep_environment(task& made) noexcept {
    auto* const own = create<icvs>(*made.environment);
    if (own == nullptr)
        end_without_memory_for_task();
    made.environment = own;
    made.flags |= task::owns_environment;
}

void release_owned(task& ended) noexcept {
    if (ended.is(task::owns_environment))
        destroy(const_cast<icvs*>(ended.environment));
    if (ended.is(task::owns_family))
        leave(*ended.children);
    if (ended.is(task::has_priority))
        static_cast<deferred_task&>(ended).memory().priority = 0;
}

}  // namespace teff::openmp