// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deferred tasks: memory, counting, running, and waiting for them.
#include <teff/frontends/openmp/core/task.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/backoff.hpp>
#include <teff/frontends/openmp/core/run_at_once.hpp>
#include <teff/frontends/openmp/core/taskgroup.hpp>
#include <teff/frontends/openmp/core/team.hpp>
#include <teff/runtime/deferral.hpp>
#include <teff/task/task_pools.hpp>

#include <new>

namespace teff::openmp {
namespace {

constexpr const char* component = "OpenMP";

[[noreturn]] void end_without_memory() noexcept {
    fatal(component, "there is no memory for a task", "give the process more memory, or create fewer tasks at once");
}

task_pools& pools_of(place& here) noexcept {
    if (here.pools == nullptr) {
        task_member* const self = running_thread.member;
        // A thread outside of all teams keeps its pools for good.
        here.pools = self != nullptr ? self->make_pools() : create<task_pools>();
        if (here.pools == nullptr)
            end_without_memory();
    }
    return *here.pools;
}

deferred_task& of_header(task_header& header) noexcept {
    auto& memory = static_cast<task_descriptor&>(header);
    return *std::launder(static_cast<deferred_task*>(memory.payload(alignof(deferred_task))));
}

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

bool is_dropped(const task& self) noexcept {
    // relaxed: a task that does not see it is called, as if it had begun before.
    return self.group != nullptr && self.group->is_cancelled.load(std::memory_order_relaxed);
}
// Calls the function, part by part if it is untied.
void call_parts(deferred_task& self) noexcept {
    do {
        self.is_resubmitted = false;
        self.call(self);
    } while (self.is_resubmitted);
}

void run_queued(task_header& header) noexcept {
    deferred_task& self = of_header(header);
    place& here = this_place();
    task* const before = here.current;
    here.current = &self;
    if (!is_dropped(self))
        call_parts(self);
    here.current = before;
    complete(here, self);
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

struct waiting_task {
    const family* children;
    const taskgroup* group;
};
bool may_run(const task_header& offered, const void* context) noexcept {
    if (offered.run != &run_queued)
        return true;
    const deferred_task& other = of_header(const_cast<task_header&>(offered));
    const auto& waiting = *static_cast<const waiting_task*>(context);
    return other.is(task::is_untied) || (waiting.children != nullptr && descends(other.siblings, waiting.children)) ||
           (waiting.group != nullptr && is_inside(other.group, waiting.group));
}

}  // namespace

bool wants_to_defer(place& here) noexcept {
    task_member* const self = running_thread.member;
    if (self == nullptr || here.size == 1 || here.current->is(task::is_final))
        return false;
    const family* const children = here.current->children;
    return deferral::wants_task(*self, children == nullptr ? 0 : children->unfinished.size(), false);
}

deferred_task& make_task(place& here, std::size_t size, std::size_t alignment) noexcept {
    if (alignment < alignof(deferred_task))
        alignment = alignof(deferred_task);
    const std::size_t payload = sizeof(deferred_task) + alignment - alignof(deferred_task) + size;
    task_descriptor* const memory = pools_of(here).take(payload, alignof(deferred_task));
    if (memory == nullptr)
        end_without_memory();
    auto* const made = ::new (memory->payload(alignof(deferred_task))) deferred_task;
    made->memory = memory;
    made->payload_size = payload;
    return *made;
}

void free_task(deferred_task& made) noexcept {
    task_descriptor& memory = *made.memory;
    const std::size_t payload = made.payload_size;
    made.~deferred_task();
    task_member* const self = running_thread.member;
    task_pools::finish(memory, self != nullptr ? self->pools() : this_place().pools, payload, alignof(deferred_task));
}

family& family_of(task& parent) noexcept {
    if (parent.children != nullptr)
        return *parent.children;
    family* above = nullptr;
    for (const task* each = &parent; above == nullptr; each = each->parent)
        above = each != &parent && each->children != nullptr ? each->children : each->siblings;
    auto* const made = create<family>();
    if (made == nullptr)
        end_without_memory();
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
    made.memory->run = &run_queued;
}

void make_ready(place& here, deferred_task& ready) noexcept {
    task_member* const self = running_thread.member;
    if (self == nullptr || here.size == 1 ||
        !deferral::submit(*self, *ready.memory, ready.siblings->unfinished.size()))
        run_queued(*ready.memory);
}

void defer(place& here, deferred_task& made) noexcept {
    count_child(here, made);
    make_ready(here, made);
}

void begin_now(place& here, deferred_task& made) noexcept {
    task& parent = *here.current;
    made.parent = &parent;
    made.group = parent.group;
    made.environment = parent.environment;
    made.flags |= task::is_explicit | (parent.flags & task::is_final);
    here.current = &made;
}
void end_now(place& here, deferred_task& made) noexcept {
    here.current = made.parent;
    if (made.is(task::owns_environment | task::owns_family)) [[unlikely]]
        release_owned(made);
    free_task(made);
}

void run_now(place& here, deferred_task& made) noexcept {
    begin_now(here, made);
    if (!is_dropped(made))
        call_parts(made);
    end_now(here, made);
}

void complete([[maybe_unused]] place& here, deferred_task& ended) noexcept {
    if (ended.is(task::owns_environment | task::owns_family)) [[unlikely]]
        release_owned(ended);
    family& siblings = *ended.siblings;
    taskgroup* const group = ended.group;
    free_task(ended);
    if (group != nullptr)
        group->unfinished.count_down();
    siblings.unfinished.count_down();
    leave(siblings);
}

void wait_for(place& here, count_latch& latch, const taskgroup* group) noexcept {
    if (latch.is_over())
        return;
    task_member* const self = running_thread.member;
    if (self != nullptr && here.size > 1) {
        const waiting_task waiting{here.current->children, group};
        wait_rules rules = deferral::rules_for_wait(*self);
        rules.may_run = {&may_run, &waiting};
        self->wait({latch.word(), count_latch::unfinished, &latch}, rules);
        deferral::request_if_due(*self);
    }
    // Alone, only detached tasks can be unfinished; another thread fulfils their events.
    for (backoff pause; !latch.is_over();)
        pause.pause();
}

void wait_for_children(place& here) noexcept {
    if (family* const children = here.current->children; children != nullptr)
        wait_for(here, children->unfinished, nullptr);
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
        end_without_memory();
    made.environment = own;
    made.flags |= task::owns_environment;
}

void release_owned(task& ended) noexcept {
    if (ended.is(task::owns_environment))
        destroy(const_cast<icvs*>(ended.environment));
    if (ended.is(task::owns_family))
        leave(*ended.children);
}

}  // namespace teff::openmp
