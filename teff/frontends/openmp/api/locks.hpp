// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lock routines of C, for other entry points that do the same.
#pragma once

#include <teff/frontends/openmp/core/synchronization/lock.hpp>

extern "C" {

void omp_init_lock(teff::openmp::lock* memory);
void omp_destroy_lock(teff::openmp::lock* unset);
void omp_set_lock(teff::openmp::lock* set);
int omp_test_lock(teff::openmp::lock* set);
void omp_unset_lock(teff::openmp::lock* set);

void omp_init_nest_lock(teff::openmp::nest_lock* memory);
void omp_destroy_nest_lock(teff::openmp::nest_lock* unset);
void omp_set_nest_lock(teff::openmp::nest_lock* set);
int omp_test_nest_lock(teff::openmp::nest_lock* set);
void omp_unset_nest_lock(teff::openmp::nest_lock* set);
}
