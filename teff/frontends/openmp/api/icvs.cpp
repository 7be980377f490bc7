// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routines that query and set the internal control variables of the calling task (OpenMP 5.1, sections 3.2 and
// 3.4). A value that the specification does not allow becomes the nearest allowed one, or is ignored where it says so.
//
// A routine has up to five names: that of C; `ompc_`, which Clang's header for C declares as well; and Fortran's, with
// an underscore at the end and the arguments by address, of 4 or (`_8_`) 8 bytes each.
#include <teff/frontends/openmp/core/environment/icvs.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

// The values of the type omp_sched_t: 1 to 4 for OpenMP's kinds in their order, 101 for LLVM's `trapezoidal`, and a bit
// for the monotonic modifier.
namespace teff::openmp {
namespace {

constexpr std::uint32_t monotonic_bit = 0x8000'0000, trapezoidal_value = 101;

std::uint32_t value_of(const run_schedule& schedule) noexcept {
    const std::uint32_t kind =
        schedule.kind == schedule_kind::trapezoidal ? trapezoidal_value : static_cast<std::uint32_t>(schedule.kind) + 1;
    return kind | (schedule.is_monotonic ? monotonic_bit : 0);
}

// The kind without the modifier; nullopt for an unknown value.
std::optional<schedule_kind> kind_of(std::uint32_t value) noexcept {
    const std::uint32_t kind = value & ~monotonic_bit;
    if (kind == trapezoidal_value)
        return schedule_kind::trapezoidal;
    if (kind < 1 || kind > static_cast<std::uint32_t>(schedule_kind::automatic) + 1)
        return std::nullopt;
    return static_cast<schedule_kind>(kind - 1);
}

}  // namespace
}  // namespace teff::openmp

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

namespace {

icvs& own() noexcept { return own_environment(this_place()); }

int clipped(std::int64_t value) noexcept {
    return static_cast<int>(std::clamp<std::int64_t>(value, -std::int64_t{no_limit}, no_limit));
}

}  // namespace

extern "C" {

void omp_set_num_threads(int threads) { own().threads = static_cast<unsigned>(std::max(threads, 1)); }
void omp_set_dynamic(int is_dynamic) { own().is_dynamic = is_dynamic != 0; }
// Deprecated. Keeps a number of levels above 1 that was set before.
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
