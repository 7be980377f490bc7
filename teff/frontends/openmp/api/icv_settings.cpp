// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routines that set internal control variables (OpenMP 5.1, sections 3.2 and 3.4). A value that the specification
// does not allow becomes the nearest allowed one, or is ignored where it says so.
//
// Each has up to five names: that of C; `ompc_`, another one of Clang's header for C; Fortran's, with the arguments by
// address and 4 or 8 bytes each.
#include <teff/frontends/openmp/api/schedule_values.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

#include <algorithm>
#include <cstdint>

using namespace teff::openmp;

namespace {

icvs& own() noexcept { return own_environment(this_place()); }

int clipped(std::int64_t value) noexcept {
    return static_cast<int>(std::clamp<std::int64_t>(value, -std::int64_t{no_limit}, no_limit));
}

}  // namespace

extern "C" {

void omp_set_num_threads(int threads) { own().threads = static_cast<unsigned>(std::max(threads, 1)); }
void omp_set_dynamic(int is_dynamic) { own().is_dynamic = is_dynamic != 0; }
// Deprecated. A number of levels that was set before is kept.
void omp_set_nested(int is_nested) {
    icvs& mine = own();
    if (is_nested == 0)
        mine.max_active_levels = 1;
    else if (mine.max_active_levels <= 1)
        mine.max_active_levels = no_limit;
}
void omp_set_max_active_levels(int levels) {
    if (levels >= 0)
        own().max_active_levels = static_cast<unsigned>(levels);
}
void omp_set_schedule(std::uint32_t kind, int chunk) {
    const std::optional<schedule_kind> named = kind_of(kind);
    if (!named)
        return;
    run_schedule& set = own().schedule;
    set.kind = *named;
    set.is_monotonic = (kind & monotonic_bit) != 0;
    set.chunk = chunk < 1 || set.kind == schedule_kind::automatic ? chunk_without(set.kind) : chunk;
}
void omp_set_default_device(int number) { own().default_device = number; }
// relaxed, both: see device_icvs.
void omp_set_num_teams(int teams) {
    if (teams >= 0)
        device().teams.store(teams, std::memory_order_relaxed);
}
void omp_set_teams_thread_limit(int limit) {
    if (limit >= 0)
        device().teams_thread_limit.store(limit, std::memory_order_relaxed);
}

void ompc_set_num_threads(int threads) { omp_set_num_threads(threads); }
void ompc_set_dynamic(int is_dynamic) { omp_set_dynamic(is_dynamic); }
void ompc_set_nested(int is_nested) { omp_set_nested(is_nested); }
void ompc_set_max_active_levels(int levels) { omp_set_max_active_levels(levels); }
void ompc_set_schedule(std::uint32_t kind, int chunk) { omp_set_schedule(kind, chunk); }

void omp_set_num_threads_(const std::int32_t* threads) { omp_set_num_threads(*threads); }
void omp_set_dynamic_(const std::int32_t* is_dynamic) { omp_set_dynamic(*is_dynamic); }
void omp_set_nested_(const std::int32_t* is_nested) { omp_set_nested(*is_nested); }
void omp_set_max_active_levels_(const std::int32_t* levels) { omp_set_max_active_levels(*levels); }
void omp_set_schedule_(const std::uint32_t* kind, const std::int32_t* chunk) { omp_set_schedule(*kind, *chunk); }
void omp_set_default_device_(const std::int32_t* number) { omp_set_default_device(*number); }
void omp_set_num_teams_(const std::int32_t* teams) { omp_set_num_teams(*teams); }
void omp_set_teams_thread_limit_(const std::int32_t* limit) { omp_set_teams_thread_limit(*limit); }

void omp_set_num_threads_8_(const std::int64_t* threads) { omp_set_num_threads(clipped(*threads)); }
void omp_set_dynamic_8_(const std::int64_t* is_dynamic) { omp_set_dynamic(*is_dynamic != 0 ? 1 : 0); }
void omp_set_nested_8_(const std::int64_t* is_nested) { omp_set_nested(*is_nested != 0 ? 1 : 0); }
void omp_set_max_active_levels_8_(const std::int64_t* levels) { omp_set_max_active_levels(clipped(*levels)); }
void omp_set_schedule_8_(const std::uint32_t* kind, const std::int64_t* chunk) {
    omp_set_schedule(*kind, clipped(*chunk));
}
void omp_set_default_device_8_(const std::int64_t* number) { omp_set_default_device(clipped(*number)); }
void omp_set_num_teams_8_(const std::int64_t* teams) { omp_set_num_teams(clipped(*teams)); }
void omp_set_teams_thread_limit_8_(const std::int64_t* limit) { omp_set_teams_thread_limit(clipped(*limit)); }
}
