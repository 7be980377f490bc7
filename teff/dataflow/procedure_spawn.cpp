// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The start of a task: which versions it gets, whether it starts at once or is deferred, and what is recorded of it;
// see procedure.hpp.
#include <teff/dataflow/procedure.hpp>

#include <teff/dataflow/graph.hpp>
#include <teff/dataflow/private_copies.hpp>
#include <teff/dataflow/recording.hpp>
#include <teff/depend/tickets.hpp>
#include <teff/strand/running_thread.hpp>
#include <teff/team/task_team.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace teff::dataflow {

using depend::access_kind;

// A child of a task may not have more access than the task, whose own siblings would not wait for it.
void procedure::require_access(const object_base& object, access_kind kind, reduction_function reduction) const {
    // 0: unknown, since another thread has taken the function.
    if (parent_ == nullptr || object.made_in_ == 0 || object.made_in_ == number_)
        return;
    const request* const mine = find_given(object);
    if (mine == nullptr) {
        bool is_outside = object.made_in_ == top_level;
        for (const procedure* above = parent_; above != nullptr && !is_outside; above = above->parent_)
            is_outside = above->number_ == object.made_in_;
        if (is_outside)
            throw std::logic_error("teff::spawn: a task spawns a task with an object that it was not given itself; "
                                   "pass the object to the outer task, too");
        return;
    }
    const bool is_allowed = mine->kind == access_kind::in           ? kind == access_kind::in
                            : mine->kind == access_kind::concurrent ? kind == mine->kind && reduction == mine->reduction
                                                                    : true;
    if (!is_allowed)
        throw std::logic_error(mine->kind == access_kind::in
                                   ? "teff::spawn: a task that was given an object as `in` spawns a task that writes "
                                     "it; give it to the outer task as `inout`"
                                   : "teff::spawn: a task that was given an object as `reduction` spawns a task that "
                                     "uses it in another way; use the same reduction");
}

bool procedure::starts_plainly(std::span<request> accesses) noexcept {
    for (std::size_t i = 0; i != accesses.size(); ++i) {
        request& each = accesses[i];
        if (each.object == nullptr ||
            (parent_ != nullptr && (number_ == 0 || each.object->made_in_ != number_)))
            return false;
        for (std::size_t before = 0; before != i; ++before) {
            if (accesses[before].object == each.object)
                return false;
        }
        version& used = *each.object->newest_;
        if (used.tracker != trackers_.plain || used.user != this || used.copies != nullptr)
            return false;
        // Plain starts distinguish only readers, which may run together, and all others, which may not.
        const access_kind kind = each.kind == access_kind::in ? each.kind : access_kind::inout;
        // The default tracker without a call.
        if (!(trackers_.plain == 0 ? depend::tickets::can_start(used, kind)
                                   : depend::functions_for_objects(trackers_.plain).can_start(used, kind)))
            return false;
        used.order_after(kind);
        // After can_start(): a task that was running until then may have failed.
        // relaxed: can_start() has ordered the tasks.
        if (used.failed_in.load(std::memory_order_relaxed) == epoch_)
            return false;
        each.newest = &each.object->newest_;
        each.value = used.value;
    }
    return true;
}

void procedure::resolve(std::span<request> accesses) {
    require_own_process();
    if (is_recorded()) [[unlikely]]
        prepare_sync();
    for (std::size_t i = 0; i != accesses.size(); ++i) {
        request& each = accesses[i];
        if (each.object != nullptr)
            require_access(*each.object, each.kind, each.reduction);
        each.newest = each.object != nullptr ? &newest_of(*each.object) : &version_at(each.value);
        for (std::size_t before = 0; before != i; ++before) {
            if (accesses[before].newest == each.newest)
                throw std::invalid_argument("teff::spawn: two arguments of a task are the same object; pass it once, "
                                            "with an access that allows all that the task does");
        }
    }
    try {
        for (request& each : accesses) {
            version& newest = **each.newest;
            adopt(newest);
            each.value = newest.value;
            if (each.kind == access_kind::out && each.object != nullptr && !is_idle(newest))
                each.fresh = rename(each, newest);
            if (each.fresh != nullptr) {
                adopt(*each.fresh);
                each.value = each.fresh->value;
            } else if (newest.copies != nullptr) {
                combine_before(newest, each);
            }
        }
    } catch (...) {
        forget(accesses);
        throw;
    }
}

void procedure::forget(std::span<request> accesses) noexcept {
    for (request& each : accesses) {
        if (each.fresh != nullptr && each.fresh->is_allocated)
            drop(*each.fresh);
        each.fresh = nullptr;
    }
}

bool procedure::can_start(std::span<const request> accesses) noexcept {
    return std::all_of(accesses.begin(), accesses.end(), [&](const request& each) {
        if (each.fresh != nullptr)
            return true;
        // Without a fresh version `out` waits for all earlier tasks.
        const access_kind kind = each.kind == access_kind::out ? access_kind::inout : each.kind;
        const bool can = depend::functions_for_objects(tracker()).can_start(**each.newest, kind);
        if (can)
            (**each.newest).order_after(kind);
        return can;
    });
}

bool procedure::begin(std::span<request> accesses, bool is_plain, recorded_spawn& recorded) {
    bool starts = can_start(accesses);
    if (starts && !is_plain)
        starts = running_thread.member == nullptr || !deferred().wants_task();
    // Without a team (a thread that exits, or the child of a fork) this thread runs everything.
    if (!starts && running_thread.member == nullptr) {
        await();
        starts = true;
    }
    return starts && begin_at_once(accesses, recorded);
}

bool procedure::begin_at_once(std::span<request> accesses, recorded_spawn& recorded) {
    bool is_alone = true;
    try {
        for (request& each : accesses) {
            version& used = **each.newest;
            if (each.kind == access_kind::commutative && !is_idle(used)) {
                each.is_locked = used.lock.try_lock();
                is_alone = each.is_locked;
                if (is_alone)
                    used.order_after(each.kind);
            } else if (each.kind == access_kind::concurrent && !is_idle(used)) {
                // Other tasks of the same reduction run, so there are copies.
                each.value = used.copies->take(running_thread.member->slot());
                each.has_copy = true;
            }
            if (!is_alone)
                break;
        }
    } catch (...) {
        leave_at_once(accesses);
        throw;
    }
    if (!is_alone) {
        leave_at_once(accesses);
        return false;
    }
    if (is_recorded()) [[unlikely]]
        begin_recorded(accesses, recorded);
    commit(accesses);
    return true;
}

void procedure::leave_at_once(std::span<request> accesses) noexcept {
    for (request& each : accesses) {
        version& used = **each.newest;
        if (each.has_copy || each.is_locked)
            // Other tasks use the object; the function may have called fork().
            require_own_process();
        if (std::exchange(each.has_copy, false)) {
            // In the child of a fork() there is no other member.
            const unsigned slot = running_thread.member == nullptr ? 0 : running_thread.member->slot();
            try {
                used.copies->put(slot, each.value);
            } catch (...) {
                fail_at_once(accesses, std::current_exception());
            }
            each.value = used.value;
        }
        if (std::exchange(each.is_locked, false))
            graph_->unlock(used);
    }
}

bool procedure::skips_failed(std::span<const request> accesses) noexcept {
    const bool skips = std::any_of(accesses.begin(), accesses.end(), [&](const request& each) {
        // relaxed: the tracker has ordered the tasks.
        return each.kind != access_kind::out && (**each.newest).failed_in.load(std::memory_order_relaxed) == epoch_;
    });
    if (skips) {
        mark_failed(accesses);
        if (is_recorded()) [[unlikely]]
            mark_not_called();
    }
    return skips;
}

void procedure::fail_at_once(std::span<const request> accesses, std::exception_ptr error) noexcept {
    mark_failed(accesses);
    fail(std::move(error));
    if (is_recorded()) [[unlikely]]
        recording::mark(task_outcome::failed);
}

void procedure::mark_failed(std::span<const request> accesses) noexcept {
    for (const request& each : accesses) {
        if (each.kind != access_kind::in)
            // relaxed: as above.
            (**each.newest).failed_in.store(give_epoch(), std::memory_order_relaxed);
    }
}

void procedure::begin_recorded(std::span<request> accesses, recorded_spawn& recorded) noexcept {
    record(accesses, recorded.function, &recorded.run);
}

void procedure::end_recorded(recorded_run& run) noexcept { recording::end_run(run); }

void procedure::mark_not_called() noexcept { recording::mark(task_outcome::not_called); }

record_entry procedure::record(std::span<request> accesses, const task_function& function,
                               recorded_run* run) noexcept {
    recording::new_task task(recorded_function(), function);
    for (request& each : accesses) {
        recorded_access access;
        access.kind = each.kind;
        access.operation = reinterpret_cast<const void*>(each.reduction);
        version& used = each.fresh != nullptr ? *each.fresh : **each.newest;
        if (each.object == nullptr) {
            access.object = reinterpret_cast<std::uintptr_t>(each.value);
            access.is_address = true;
            task.add(access);
            continue;
        }
        // An idle object is not renamed, but could be.
        access.makes_version =
            each.kind == access_kind::out && (each.fresh != nullptr || (is_idle(used) && can_rename(each)));
        used.recorded_stretch = task.add(access, each.object->recorded_number_);
    }
    if (run != nullptr)
        task.begin(*run);
    return task.self();
}

void procedure::record_wait_for(const version& used) noexcept {
    if (is_recorded()) [[unlikely]]
        recording::sync_if_used(recorded_function(), used.recorded_stretch);
}

}  // namespace teff::dataflow
