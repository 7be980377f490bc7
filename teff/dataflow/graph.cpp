// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Submits the tasks of a graph, runs them, and ends them; see graph.hpp.
#include <teff/dataflow/graph.hpp>

#include <teff/base/sanitizers.hpp>
#include <teff/dataflow/private_copies.hpp>
#include <teff/dataflow/recording.hpp>
#include <teff/depend/exclusion.hpp>
#include <teff/frontends/fork_join/group_task.hpp>
#include <teff/frontends/fork_join/job.hpp>
#include <teff/frontends/fork_join/views.hpp>
#include <teff/pool/pool.hpp>
#include <teff/strand/running_thread.hpp>
#include <teff/team/task_team.hpp>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace teff::dataflow {
namespace {

using depend::access_kind;
using depend::tracked_access;

version& version_of(const tracked_access& access) noexcept { return *static_cast<version*>(access.object); }
access_kind kind_of(const tracked_access& access) noexcept {
    return access.overwrites ? access_kind::out : access.kind;
}
const team_options& options_of_team() noexcept { return running_thread.member->team().how(); }

// Tells ThreadSanitizer the order that the tracker gives the task.
void tell_begin(const deferred_task& task) noexcept {
    if (!sanitizers::tells_orders())
        return;
    sanitizers::happens_after(&task.memory);
    for (unsigned i = 0; i != task.access_count; ++i)
        version_of(task.accesses[i]).order_after(task.accesses[i].kind);
}
void tell_end(const deferred_task& task) noexcept {
    if (!sanitizers::tells_orders())
        return;
    for (unsigned i = 0; i != task.access_count; ++i)
        version_of(task.accesses[i]).order_before(task.accesses[i].kind);
}

depend::tracker* require_made(depend::tracker* made) {
    if (made == nullptr)
        throw std::bad_alloc();
    return made;
}

}  // namespace

graph::graph(procedure& spawner)
    : procedure_(spawner), generation_(pool::instance().generation()),
      tracker_(require_made(depend::make_tracker(spawner.tracker()))),
      bound_(options_of_team().dataflow_tasks == 0 ? std::numeric_limits<std::size_t>::max()
                                                   : std::max<std::size_t>(1, options_of_team().dataflow_tasks / 2)) {}
graph::~graph() = default;

void graph::prepare(std::span<const request> accesses) {
    for (const request& each : accesses) {
        if (each.kind == access_kind::concurrent)
            procedure::prepare_copies(**each.newest, each.reduction);
    }
}

void graph::register_accesses(deferred_task& made, std::span<request> accesses,
                              const task_function& function) noexcept {
    if (procedure_.is_recorded()) [[unlikely]]
        made.recorded = procedure_.record(accesses, function, nullptr);
    procedure_.commit(accesses);
    for (std::size_t i = 0; i != accesses.size(); ++i) {
        version& used = **accesses[i].newest;
        tracked_access& access = made.accesses[i];
        access.object = &used;
        access.task = &made;
        access.kind = accesses[i].kind;
        access.overwrites = access.kind == access_kind::out;
        if (access.overwrites && !procedure_.is_idle(used))
            access.kind = access_kind::inout;
        access.data = access.kind == access_kind::concurrent ? used.copies.get() : nullptr;
        access.keeps_object = used.is_allocated;
        if (used.is_allocated)
            // relaxed: the object refers to the version, too.
            used.references.fetch_add(1, std::memory_order_relaxed);
    }
}

void graph::count_one() noexcept {
    if (counted_ahead_ == 0) {
        half().begin(most_ahead);
        counted_ahead_ = most_ahead;
    }
    --counted_ahead_;
}
// Before a wait for the current half.
void graph::uncount_ahead() noexcept {
    if (counted_ahead_ != 0)
        half().end_some(std::exchange(counted_ahead_, 0));
}

void graph::submit(deferred_task& made) noexcept {
    if (submitted_ == bound_) {
        uncount_ahead();
        submitted_ = half().size();
        // If at least half of this half's tasks have ended, the half has room.
        if (submitted_ > bound_ / 2) {
            current_ = 1 - current_;
            submitted_ = 0;
            const recording::waiting waits(procedure_.is_recorded());
            half().wait_outside_of_tasks();
        }
    }
    ++submitted_;
    made.half = static_cast<unsigned char>(current_);
    count_one();
    // Another thread may push the task, once it has become ready.
    sanitizers::happens_before(&made.memory);
    depend::ready_list refused;
    switch (tracker_->issue(made)) {
    case depend::issue_result::waits:
        return;
    case depend::issue_result::ready:
        push(made, refused);
        break;
    case depend::issue_result::no_memory:
        // The task must not be counted while this thread waits for all others.
        ++counted_ahead_;
        await();
        count_one();
        // The tracker does not know the task, so later tasks would not wait for it: it runs before any of them is
        // issued.
        refused.push(made);
        break;
    }
    run_all(refused, afterwards::returns);
}

// Waits without the check that a task waits for itself: a running task does not know which half counts it.
void graph::await() noexcept {
    uncount_ahead();
    const recording::waiting waits(procedure_.is_recorded());
    halves_[1].wait_outside_of_tasks();
    // The first half is awaited last: it counts the searches, which tasks of the other half may still queue.
    halves_[0].wait_outside_of_tasks();
    submitted_ = 0;
}

void graph::require_own_process() noexcept {
    const unsigned now = pool::instance().generation();
    if (generation_ == now) [[likely]]
        return;
    await();
    generation_ = now;
}

void graph::finish() {
    std::exception_ptr error;
    for (forking::group_state& each : halves_) {
        try {
            each.finish();
        } catch (...) {
            if (error == nullptr)
                error = std::current_exception();
        }
    }
    // relaxed: await() has ordered it.
    const bool was_stopped = was_stopped_.load(std::memory_order_relaxed);
    was_stopped_.store(false, std::memory_order_relaxed);
    if (error != nullptr)
        std::rethrow_exception(std::move(error));
    if (was_stopped)
        forking::throw_stopped();
}

// Gives the task to the team; if the team refuses it, adds it to `refused`, and the caller runs it.
void graph::push(deferred_task& ready, depend::ready_list& refused) noexcept {
    if (!forking::share_counted(ready.memory, ready.home.halves_[ready.half].size()))
        refused.push(ready);
}

void graph::run(deferred_task& ready) noexcept {
    depend::ready_list list;
    list.push(ready);
    run_all(list, afterwards::takes_next);
}
void graph::run_all(depend::ready_list& ready, afterwards what) noexcept {
    while (depend::tracked_task* const next = ready.pop()) {
        offer(ready);
        auto& task = static_cast<deferred_task&>(*next);
        task.home.run_one(task, ready, what);
    }
}

// Called before a task runs, which may block: gives the tasks that this thread would run after it to other threads, if
// there are any. Out of line, as search_if_due() and others below: between two calls a task has run, and a fiber may
// have moved to another thread.
[[gnu::noinline]] void graph::offer(depend::ready_list& others) noexcept {
    task_member* const self = running_thread.member;
    if (others.empty() || self == nullptr || self->team().is_alone())
        return;
    while (depend::tracked_task* const other = others.pop())
        self->team().inject(static_cast<deferred_task&>(*other).memory);
}

// At the end of a task that its member's loop runs: whether a task that is pushed now runs on this thread directly
// after `ending`, so that no code of the user, such as the destructor of a value, runs in between.
[[gnu::noinline]] bool graph::keeps_next(const deferred_task& ending) noexcept {
    task_member* const self = running_thread.member;
    return self != nullptr && self->surely_takes_newest() &&
           std::none_of(ending.accesses, ending.accesses + ending.access_count,
                        [](const tracked_access& each) { return each.keeps_object; });
}
// As push(), for keeps_next(). If one task becomes ready, it runs on the thread that has ended its predecessor, whose
// cache has its data; a thief would only leave this thread without a task.
[[gnu::noinline]] void graph::push_next(deferred_task& ready, depend::ready_list& refused) noexcept {
    if (!running_thread.member->push_next(ready.memory))
        refused.push(ready);
}

void graph::run_one(deferred_task& task, depend::ready_list& refused, afterwards what) noexcept {
    if (!lock_rest(task))
        return;
    tell_begin(task);
    {
        const forking::counted_task counted(*task.around);
        forking::own_views own(counted.around());
        {
            const recording::scoped_run run(procedure_.is_recorded(), task.recorded);
            task.call(task);
        }
        halves_[task.half].keep(own.take());
    }
    tell_end(task);
    depend::ready_list ready;
    for (unsigned i = 0; i != task.access_count; ++i) {
        if (task.accesses[i].kind == access_kind::commutative)
            pass_on(version_of(task.accesses[i]), ready);
    }
    // From here on an object may be destroyed, unless the access keeps it.
    tracker_->release(task, ready);
    if (ready.empty())
        search_if_due();
    const bool keeps = what == afterwards::takes_next && refused.empty() && ready.has_one() && keeps_next(task);
    depend::tracked_task* const kept = keeps ? ready.pop() : nullptr;
    while (depend::tracked_task* const next = ready.pop())
        push(static_cast<deferred_task&>(*next), refused);
    for (unsigned i = 0; i != task.access_count; ++i) {
        if (task.accesses[i].keeps_object)
            procedure_.drop(version_of(task.accesses[i]));
    }
    forking::group_state& counted = halves_[task.half];
    task.free(task);
    if (kept != nullptr)
        push_next(static_cast<deferred_task&>(*kept), refused);
    counted.end_one();
}

bool graph::begin(deferred_task& task, std::span<request> given) {
    bool is_to_run = true;
    if (forking::is_team_stopping()) {
        // relaxed: end_one() publishes it.
        was_stopped_.store(true, std::memory_order_relaxed);
        is_to_run = false;
    }
    for (std::size_t i = 0; i != given.size(); ++i) {
        const tracked_access& access = task.accesses[i];
        version& used = version_of(access);
        given[i] = request{used.object, used.value, kind_of(access)};
        // relaxed, both: the tracker has ordered the tasks.
        if (access.overwrites)
            used.failed_in.store(0, std::memory_order_relaxed);
        else if (used.failed_in.load(std::memory_order_relaxed) == procedure_.epoch())
            is_to_run = false;
    }
    task.was_called = is_to_run;
    for (std::size_t i = 0; is_to_run && i != given.size(); ++i) {
        if (given[i].kind != access_kind::concurrent)
            continue;
        auto& copies = *static_cast<private_copies*>(task.accesses[i].data);
        given[i].reduction = copies.reduction();
        given[i].value = copies.take(running_thread.member->slot());
        given[i].has_copy = true;
    }
    return is_to_run;
}

void graph::end(deferred_task& task, std::span<request> given, std::exception_ptr error) noexcept {
    // If the function has called fork(), this ends the child.
    require_own_process();
    for (std::size_t i = 0; i != given.size(); ++i) {
        if (!given[i].has_copy)
            continue;
        try {
            static_cast<private_copies*>(task.accesses[i].data)->put(running_thread.member->slot(), given[i].value);
        } catch (...) {
            if (error == nullptr)
                error = std::current_exception();
        }
    }
    if (error == nullptr && task.was_called)
        return;
    if (procedure_.is_recorded()) [[unlikely]]
        recording::mark(task.was_called ? task_outcome::failed : task_outcome::not_called);
    for (unsigned i = 0; i != task.access_count; ++i) {
        if (task.accesses[i].kind != access_kind::in)
            // relaxed: the tracker orders the tasks.
            version_of(task.accesses[i]).failed_in.store(procedure_.epoch(), std::memory_order_relaxed);
    }
    if (error != nullptr)
        halves_[task.half].fail(std::move(error));
}

bool graph::lock_rest(deferred_task& task) noexcept {
    return depend::lock_rest(task, task, task.last_locked,
                             [](const tracked_access& access) -> auto& { return version_of(access).lock; });
}

void graph::pass_on(version& used, depend::ready_list& ready) noexcept {
    if (depend::exclusion_waiter* const next = used.lock.unlock()) {
        auto& task = static_cast<deferred_task&>(*next);
        if (lock_rest(task))
            ready.push(task);
    }
}

void graph::unlock(version& used) noexcept {
    used.order_before(access_kind::commutative);
    depend::ready_list ready, refused;
    pass_on(used, ready);
    while (depend::tracked_task* const next = ready.pop())
        push(static_cast<deferred_task&>(*next), refused);
    run_all(refused, afterwards::returns);
}

// Queues the search task if ready tasks may have been missed, so that a member without a task runs the search.
[[gnu::noinline]] void graph::search_if_due() noexcept {
    if (!tracker_->may_have_missed() || !search_.request.make())
        return;
    halves_[0].begin_one();
    running_thread.member->team().inject(search_);
}

void graph::run_search(task_header& self) noexcept {
    graph& home = static_cast<search_task&>(self).home;
    home.search_.request.begin();
    depend::ready_list ready, refused;
    home.tracker_->search(ready);
    home.search_if_due();
    while (depend::tracked_task* const next = ready.pop())
        home.push(static_cast<deferred_task&>(*next), refused);
    run_all(refused, afterwards::returns);
    home.halves_[0].end_one();
}

}  // namespace teff::dataflow
