// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries for the internal control variables that hold for the calling task (OpenMP 5.1, sections 3.2 and 3.4).
// The names with an underscore at their end are Fortran's.
#include <teff/frontends/openmp/api/schedule_values.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

#include <cstdint>

using namespace teff::openmp;

namespace {

const icvs& current_environment() noexcept { return *this_place().current->environment; }

}  // namespace

extern "C" {

int omp_get_max_threads() { return static_cast<int>(current_environment().threads); }
int omp_get_num_procs() { return static_cast<int>(process().processors); }
int omp_get_dynamic() { return current_environment().is_dynamic ? 1 : 0; }
int omp_get_nested() {
    const place& caller = this_place();
    const unsigned most = caller.current->environment->max_active_levels;
    return most > 1 && most > caller.in->active_level ? 1 : 0;
}
int omp_get_thread_limit() { return static_cast<int>(current_environment().thread_limit); }
int omp_get_max_active_levels() { return static_cast<int>(current_environment().max_active_levels); }
int omp_get_supported_active_levels() { return static_cast<int>(no_limit); }
int omp_get_cancellation() { return process().may_cancel ? 1 : 0; }
int omp_get_proc_bind() { return static_cast<int>(current_environment().bind); }
int omp_get_max_task_priority() { return static_cast<int>(process().max_task_priority); }
int omp_get_default_device() { return current_environment().default_device; }
// relaxed, both: see device_icvs.
int omp_get_max_teams() { return device().teams.load(std::memory_order_relaxed); }
int omp_get_teams_thread_limit() { return device().teams_thread_limit.load(std::memory_order_relaxed); }

[[gnu::alias("omp_get_max_threads")]] int omp_get_max_threads_();
[[gnu::alias("omp_get_num_procs")]] int omp_get_num_procs_();
[[gnu::alias("omp_get_dynamic")]] int omp_get_dynamic_();
[[gnu::alias("omp_get_nested")]] int omp_get_nested_();
[[gnu::alias("omp_get_thread_limit")]] int omp_get_thread_limit_();
[[gnu::alias("omp_get_max_active_levels")]] int omp_get_max_active_levels_();
[[gnu::alias("omp_get_supported_active_levels")]] int omp_get_supported_active_levels_();
[[gnu::alias("omp_get_cancellation")]] int omp_get_cancellation_();
[[gnu::alias("omp_get_proc_bind")]] int omp_get_proc_bind_();
[[gnu::alias("omp_get_max_task_priority")]] int omp_get_max_task_priority_();
[[gnu::alias("omp_get_default_device")]] int omp_get_default_device_();
[[gnu::alias("omp_get_max_teams")]] int omp_get_max_teams_();
[[gnu::alias("omp_get_teams_thread_limit")]] int omp_get_teams_thread_limit_();

void omp_get_schedule(std::uint32_t* kind, int* chunk) {
    const run_schedule& set = current_environment().schedule;
    *kind = value_of(set);
    *chunk = static_cast<int>(set.chunk);
}
[[gnu::alias("omp_get_schedule")]] void omp_get_schedule_(std::uint32_t* kind, int* chunk);
void omp_get_schedule_8_(std::uint32_t* kind, std::int64_t* chunk) {
    const run_schedule& set = current_environment().schedule;
    *kind = value_of(set);
    *chunk = set.chunk;
}
}
