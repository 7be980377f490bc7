// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The marks of cancelled constructs.
#include <teff/frontends/openmp/core/teams/cancellation.hpp>

#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/team/region.hpp>

namespace teff::openmp {
namespace {

void cancel_parallel(place& caller) noexcept {
    team& in = *caller.in;
    // release: the canceller's writes are visible to a thread that reads the mark; partner: the acquire in
    // is_region_cancelled().
    in.is_cancelled.store(true, std::memory_order_release);
    if (caller.size > 1)
        cancel_region();
}

bool cancel_taskgroup(taskgroup* innermost) noexcept {
    if (innermost == nullptr)
        return false;
    while (innermost->is_of_construct && innermost->outer != nullptr)
        innermost = innermost->outer;
    // release: as in cancel_parallel().
    innermost->is_cancelled.store(true, std::memory_order_release);
    return true;
}

bool is_region_cancelled(const team& in) noexcept {
    // acquire: see cancel_parallel().
    return in.is_cancelled.load(std::memory_order_acquire);
}

}  // namespace

bool cancel(place& caller, cancellable what) noexcept {
    if (!caller.may_cancel)
        return false;
    switch (what) {
    case cancellable::parallel:
        cancel_parallel(caller);
        break;
    case cancellable::worksharing:
        // release: as in cancel_parallel().
        caller.in->cancelled_construct.store(caller.barriers + 1, std::memory_order_release);
        break;
    case cancellable::taskgroup:
        return cancel_taskgroup(caller.current->group);
    }
    return true;
}

bool is_cancelled(const place& caller, cancellable what) noexcept {
    if (!caller.may_cancel)
        return false;
    const team& in = *caller.in;
    switch (what) {
    case cancellable::parallel:
        return is_region_cancelled(in);
    case cancellable::worksharing:
        // acquire: as in is_region_cancelled().
        return in.cancelled_construct.load(std::memory_order_acquire) == caller.barriers + 1 || is_region_cancelled(in);
    case cancellable::taskgroup:
        break;
    }
    return is_task_cancelled(caller, caller.current->group);
}

bool is_task_cancelled(const place& caller, const taskgroup* group) noexcept {
    for (; group != nullptr; group = group->outer)
        // acquire: as in is_region_cancelled().
        if (group->is_cancelled.load(std::memory_order_acquire))
            return true;
    return is_region_cancelled(*caller.in);
}

}  // namespace teff::openmp
