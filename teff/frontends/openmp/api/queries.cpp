// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program asks about its place in a team.
#include <teff/frontends/openmp/core/team.hpp>

using namespace teff::openmp;

extern "C" {

int omp_get_thread_num() { return static_cast<int>(this_place().number); }
int omp_get_num_threads() { return static_cast<int>(this_place().size); }
int omp_get_max_threads() { return static_cast<int>(this_place().current->environment->threads); }
int omp_in_parallel() { return this_place().in->active_level != 0 ? 1 : 0; }
int omp_get_level() { return static_cast<int>(this_place().in->level); }
int omp_get_active_level() { return static_cast<int>(this_place().in->active_level); }
void omp_set_num_threads(int threads) {
    if (threads > 0)
        own_environment(this_place()).threads = static_cast<unsigned>(threads);
}
}
