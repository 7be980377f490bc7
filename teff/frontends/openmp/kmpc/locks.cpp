// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lock routines with the place of the call and the number of the thread, as compilers may call them instead of
// those of the specification.
#include <teff/frontends/openmp/api/locks.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

using namespace teff::openmp;
using kmpc::ident;

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
