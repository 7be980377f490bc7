// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The locks of OpenMP. What they guard is ordinary memory; a thread that is not woken is a deadlock.
#include "definition.hpp"

#include <teff/base/allocation.hpp>
#include <teff/frontends/openmp/core/synchronization/lock.hpp>

namespace scenarios {
namespace {

using teff::openmp::lock;
using teff::openmp::lock_scope;
using teff::openmp::nest_lock;

template <unsigned Rounds>
void two_threads_take_turns() {
    lock guard;
    unsigned sum = 0;
    const auto add = [&] {
        for (unsigned round = 0; round != Rounds; ++round) {
            const lock_scope held(guard);
            ++sum;
        }
    };
    model::parallel(add, add);
    model::check(sum == 2 * Rounds, "two threads had the lock at once");
}

// One wake-up per release: the thread that is woken has to pass it on.
TEFF_SCENARIO(openmp_locks, three_threads_take_turns) {
    lock guard;
    unsigned sum = 0;
    const auto add = [&] {
        const lock_scope held(guard);
        ++sum;
    };
    model::parallel(add, add, add);
    model::check(sum == 3, "two threads had the lock at once");
}

// A thread that only tries takes the lock between two others, without the mark of sleepers.
TEFF_SCENARIO(openmp_locks, a_thread_tries) {
    lock guard;
    unsigned sum = 0, tries = 0;
    const auto add = [&] {
        const lock_scope held(guard);
        ++sum;
    };
    model::parallel(add, add, [&] {
        if (guard.try_acquire()) {
            ++sum;
            ++tries;
            guard.release();
        }
    });
    model::check(sum == 2 + tries, "two threads had the lock at once");
}

// The last owner destroys the lock, while the one before may still be in release().
TEFF_SCENARIO(openmp_locks, a_lock_is_destroyed_by_its_last_owner) {
    struct guarded {
        lock guard;
        unsigned owners = 0;
    };
    auto* const shared = teff::create<guarded>();
    const auto own = [&] {
        shared->guard.acquire();
        const bool is_last = ++shared->owners == 2;
        shared->guard.release();
        if (is_last)
            teff::destroy(shared);
    };
    model::parallel(own, own);
}

// An owner takes it again; another one gets it after as many releases.
TEFF_SCENARIO(openmp_locks, a_nest_lock_is_nested) {
    nest_lock guard;
    unsigned sum = 0;
    const auto add_twice = [&](std::uint32_t owner) {
        return [&, owner] {
            guard.acquire(owner);
            ++sum;
            guard.acquire(owner);
            ++sum;
            model::check(guard.release(), "a lock that is held is free");
            ++sum;
            model::check(guard.release(), "a lock that is held is free");
        };
    };
    model::parallel(add_twice(1), add_twice(2));
    model::check(sum == 6, "two owners had the lock at once");
}

TEFF_SCENARIO(openmp_locks, a_nest_lock_is_tried) {
    nest_lock guard;
    unsigned sum = 0, tries = 0;
    model::parallel(
        [&] {
            guard.acquire(1);
            ++sum;
            model::check(guard.try_acquire(1) == 2, "an owner cannot take its lock again");
            ++sum;
            guard.release();
            guard.release();
        },
        [&] {
            if (guard.try_acquire(2) != 0) {
                ++sum;
                ++tries;
                guard.release();
            }
        });
    model::check(sum == 2 + tries, "two owners had the lock at once");
    model::check(!guard.release(), "a lock that is free is held");
}

TEFF_SCENARIO(openmp_locks, two_threads_take_turns) { two_threads_take_turns<1>(); }
TEFF_SCENARIO(openmp_locks, two_threads_take_turns_twice) { two_threads_take_turns<2>(); }

}  // namespace

std::span<const model::scenario> openmp_lock_scenarios() { return defined_here; }

}  // namespace scenarios
