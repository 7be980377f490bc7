// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lock routines (OpenMP 5.1, section 3.9), in the spellings of C and of Fortran, which both pass the lock's
// address, and Clang's calls that do the same. The owner of a nestable lock is the running task. In OMP_1.0, which
// programs from before OpenMP 3.0 ask for, it is the thread; for a simple lock this makes no difference. Hints change
// nothing (core/synchronization/lock.hpp).
#include <teff/base/assert.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/synchronization/lock.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

#include <new>

using namespace teff::openmp;
using kmpc::ident;

namespace {

namespace events = teff::openmp::events;
using events::mutex_kind;

[[gnu::cold]] void warn_of_free_lock(const char* routine) noexcept {
    teff::warn("%s: the lock is not set; unset it once for each time that it was set", routine);
}

constexpr int no_hint = 0;

inline void init(lock* memory, int hint, events::call_site from) noexcept {
    ::new (memory) lock;
    events::lock_made(mutex_kind::lock, static_cast<unsigned>(hint), memory, from);
}
inline void init(nest_lock* memory, int hint, events::call_site from) noexcept {
    ::new (memory) nest_lock;
    events::lock_made(mutex_kind::nest_lock, static_cast<unsigned>(hint), memory, from);
}
// A lock that the owner has set again is reported as nested.
inline void report_acquired(mutex_kind kind, const nest_lock* set, events::call_site from) noexcept {
    if constexpr (events::are_reported) {
        if (set->depth() == 1)
            events::mutex_acquired(kind, set, from);
        else
            events::nest_lock_entered(set, from);
    }
}

}  // namespace

extern "C" {

void omp_init_lock(lock* memory) { init(memory, no_hint, TEFF_CALL_SITE); }
void omp_init_lock_with_hint(lock* memory, int hint) { init(memory, hint, TEFF_CALL_SITE); }
void omp_init_lock_with_hint_(lock* memory, const int* hint) { init(memory, *hint, TEFF_CALL_SITE); }
void omp_destroy_lock(lock* unset) { events::lock_destroyed(mutex_kind::lock, unset, TEFF_CALL_SITE); }
void omp_set_lock(lock* set) { teff::openmp::enter(*set, mutex_kind::lock, 0, set, TEFF_CALL_SITE); }
int omp_test_lock(lock* set) {
    events::mutex_acquire(mutex_kind::test_lock, 0, set, TEFF_CALL_SITE);
    const bool is_set = set->try_acquire();
    if (is_set)
        events::mutex_acquired(mutex_kind::test_lock, set, TEFF_CALL_SITE);
    else
        events::mutex_missed();
    return is_set;
}
void omp_unset_lock(lock* set) {
    if (!set->release()) [[unlikely]]
        warn_of_free_lock("omp_unset_lock");
    events::mutex_released(mutex_kind::lock, set, TEFF_CALL_SITE);
}

void omp_init_nest_lock(nest_lock* memory) { init(memory, no_hint, TEFF_CALL_SITE); }
void omp_init_nest_lock_with_hint(nest_lock* memory, int hint) { init(memory, hint, TEFF_CALL_SITE); }
void omp_init_nest_lock_with_hint_(nest_lock* memory, const int* hint) { init(memory, *hint, TEFF_CALL_SITE); }
void omp_destroy_nest_lock(nest_lock* unset) { events::lock_destroyed(mutex_kind::nest_lock, unset, TEFF_CALL_SITE); }
void omp_set_nest_lock(nest_lock* set) {
    events::mutex_acquire(mutex_kind::nest_lock, 0, set, TEFF_CALL_SITE);
    set->acquire(current_task_number());
    report_acquired(mutex_kind::nest_lock, set, TEFF_CALL_SITE);
}
int omp_test_nest_lock(nest_lock* set) {
    events::mutex_acquire(mutex_kind::test_nest_lock, 0, set, TEFF_CALL_SITE);
    const std::uint32_t depth = set->try_acquire(current_task_number());
    if (depth != 0)
        report_acquired(mutex_kind::test_nest_lock, set, TEFF_CALL_SITE);
    else
        events::mutex_missed();
    return static_cast<int>(depth);
}
void omp_unset_nest_lock(nest_lock* set) {
    const bool is_last = set->depth() == 1;
    if (!set->release()) [[unlikely]]
        warn_of_free_lock("omp_unset_nest_lock");
    if (is_last)
        events::mutex_released(mutex_kind::nest_lock, set, TEFF_CALL_SITE);
    else
        events::nest_lock_left(set, TEFF_CALL_SITE);
}

[[gnu::alias("omp_init_lock")]] void omp_init_lock_(lock* memory);
[[gnu::alias("omp_destroy_lock")]] void omp_destroy_lock_(lock* unset);
[[gnu::alias("omp_set_lock")]] void omp_set_lock_(lock* set);
[[gnu::alias("omp_test_lock")]] int omp_test_lock_(lock* set);
[[gnu::alias("omp_unset_lock")]] void omp_unset_lock_(lock* set);
[[gnu::alias("omp_init_nest_lock")]] void omp_init_nest_lock_(nest_lock* memory);
[[gnu::alias("omp_destroy_nest_lock")]] void omp_destroy_nest_lock_(nest_lock* unset);
[[gnu::alias("omp_set_nest_lock")]] void omp_set_nest_lock_(nest_lock* set);
[[gnu::alias("omp_test_nest_lock")]] int omp_test_nest_lock_(nest_lock* set);
[[gnu::alias("omp_unset_nest_lock")]] void omp_unset_nest_lock_(nest_lock* set);

// symbols.txt gives these the names without _1_0 in node OMP_1.0.
void omp_set_nest_lock_1_0(nest_lock* set) { set->acquire(current_thread_number()); }
int omp_test_nest_lock_1_0(nest_lock* set) { return static_cast<int>(set->try_acquire(current_thread_number())); }
}

// Clang's calls, with the source location and the number of the thread, which compilers may use instead of the
// routines.
extern "C" {

void __kmpc_init_lock(ident*, std::int32_t, lock* memory) { omp_init_lock(memory); }
void __kmpc_init_lock_with_hint(ident*, std::int32_t, lock* memory, std::uintptr_t) { omp_init_lock(memory); }
void __kmpc_destroy_lock(ident*, std::int32_t, lock* unset) { omp_destroy_lock(unset); }
void __kmpc_set_lock(ident*, std::int32_t, lock* set) { omp_set_lock(set); }
int __kmpc_test_lock(ident*, std::int32_t, lock* set) { return omp_test_lock(set); }
void __kmpc_unset_lock(ident*, std::int32_t, lock* set) { omp_unset_lock(set); }

void __kmpc_init_nest_lock(ident*, std::int32_t, nest_lock* memory) { omp_init_nest_lock(memory); }
void __kmpc_init_nest_lock_with_hint(ident*, std::int32_t, nest_lock* memory, std::uintptr_t) {
    omp_init_nest_lock(memory);
}
void __kmpc_destroy_nest_lock(ident*, std::int32_t, nest_lock* unset) { omp_destroy_nest_lock(unset); }
void __kmpc_set_nest_lock(ident*, std::int32_t, nest_lock* set) { omp_set_nest_lock(set); }
int __kmpc_test_nest_lock(ident*, std::int32_t, nest_lock* set) { return omp_test_nest_lock(set); }
void __kmpc_unset_nest_lock(ident*, std::int32_t, nest_lock* set) { omp_unset_nest_lock(set); }
}
