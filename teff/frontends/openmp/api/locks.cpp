// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lock routines (OpenMP 5.1, section 3.9), in the spellings of C and of Fortran, which both pass the lock's
// address, and Clang's calls that do the same. The owner of a nestable lock is the running task. In OMP_1.0, which
// programs from before OpenMP 3.0 ask for, it is the thread; for a simple lock this makes no difference. Hints change
// nothing (core/synchronization/lock.hpp).
#include <teff/base/assert.hpp>
#include <teff/frontends/openmp/core/synchronization/lock.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

#include <new>

using namespace teff::openmp;
using kmpc::ident;

namespace {

[[gnu::cold]] void warn_of_free_lock(const char* routine) noexcept {
    teff::warn("%s: the lock is not set; unset it once for each time that it was set", routine);
}

}  // namespace

extern "C" {

void omp_init_lock(lock* memory) { ::new (memory) lock; }
void omp_init_lock_with_hint(lock* memory, int /*hint*/) { ::new (memory) lock; }
void omp_init_lock_with_hint_(lock* memory, const int* /*hint*/) { ::new (memory) lock; }
void omp_destroy_lock(lock* /*unset*/) {}
void omp_set_lock(lock* set) { set->acquire(); }
int omp_test_lock(lock* set) { return set->try_acquire(); }
void omp_unset_lock(lock* set) {
    if (!set->release()) [[unlikely]]
        warn_of_free_lock("omp_unset_lock");
}

void omp_init_nest_lock(nest_lock* memory) { ::new (memory) nest_lock; }
void omp_init_nest_lock_with_hint(nest_lock* memory, int /*hint*/) { ::new (memory) nest_lock; }
void omp_init_nest_lock_with_hint_(nest_lock* memory, const int* /*hint*/) { ::new (memory) nest_lock; }
void omp_destroy_nest_lock(nest_lock* /*unset*/) {}
void omp_set_nest_lock(nest_lock* set) { set->acquire(current_task_number()); }
int omp_test_nest_lock(nest_lock* set) { return static_cast<int>(set->try_acquire(current_task_number())); }
void omp_unset_nest_lock(nest_lock* set) {
    if (!set->release()) [[unlikely]]
        warn_of_free_lock("omp_unset_nest_lock");
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
