// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routines about the calling thread's team and the tasks that it runs: queries (OpenMP 5.1, section 3.2), and the
// event of a detach clause (section 3.11). A name with an underscore at its end is Fortran's: arguments are passed by
// address, and in the names that end in `_8_` they are integers of 8 bytes.
#include <teff/frontends/openmp/core/tasks/completion_event.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

#include <cstdint>

using namespace teff::openmp;

namespace {

// -1, which is no level, if the value does not fit into an int.
int level_of(std::int64_t level) noexcept { return level == static_cast<int>(level) ? static_cast<int>(level) : -1; }

}  // namespace

extern "C" {

int omp_get_thread_num() { return static_cast<int>(this_place().number); }
int omp_get_num_threads() { return static_cast<int>(this_place().size); }
int omp_in_parallel() { return this_place().in->active_level != 0 ? 1 : 0; }
int omp_get_num_teams() { return static_cast<int>(this_place().in->league.size); }
int omp_get_team_num() { return static_cast<int>(this_place().in->league.number); }
int omp_get_level() { return static_cast<int>(this_place().in->level); }
int omp_get_active_level() { return static_cast<int>(this_place().in->active_level); }
int omp_in_final() { return this_place().current->is(task::is_final) ? 1 : 0; }
int omp_in_explicit_task() { return this_place().current->is(task::is_explicit) ? 1 : 0; }

[[gnu::alias("omp_get_thread_num")]] int omp_get_thread_num_();
[[gnu::alias("omp_get_num_threads")]] int omp_get_num_threads_();
[[gnu::alias("omp_in_parallel")]] int omp_in_parallel_();
[[gnu::alias("omp_get_num_teams")]] int omp_get_num_teams_();
[[gnu::alias("omp_get_team_num")]] int omp_get_team_num_();
[[gnu::alias("omp_get_level")]] int omp_get_level_();
[[gnu::alias("omp_get_active_level")]] int omp_get_active_level_();
[[gnu::alias("omp_in_final")]] int omp_in_final_();
[[gnu::alias("omp_in_explicit_task")]] int omp_in_explicit_task_();

// -1: the caller is not inside a region of this level.
int omp_get_ancestor_thread_num(int level) {
    const place* const found = ancestor_at(this_place(), level);
    return found != nullptr ? static_cast<int>(found->number) : -1;
}
int omp_get_team_size(int level) {
    const place* const found = ancestor_at(this_place(), level);
    return found != nullptr ? static_cast<int>(found->size) : -1;
}
int ompc_get_ancestor_thread_num(int level) { return omp_get_ancestor_thread_num(level); }
int ompc_get_team_size(int level) { return omp_get_team_size(level); }
int omp_get_ancestor_thread_num_(const std::int32_t* level) { return omp_get_ancestor_thread_num(*level); }
int omp_get_team_size_(const std::int32_t* level) { return omp_get_team_size(*level); }
int omp_get_ancestor_thread_num_8_(const std::int64_t* level) {
    return omp_get_ancestor_thread_num(level_of(*level));
}
int omp_get_team_size_8_(const std::int64_t* level) { return omp_get_team_size(level_of(*level)); }
}

// Ends a task with a detach clause, once its function has returned.
extern "C" {

void omp_fulfill_event(std::uintptr_t event) { fulfil(*reinterpret_cast<completion_event*>(event)); }
// Fortran also passes the handle by value.
[[gnu::alias("omp_fulfill_event")]] void omp_fulfill_event_(std::uintptr_t event);
}
