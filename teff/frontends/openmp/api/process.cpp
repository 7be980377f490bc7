// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routines that concern the process and not a team or a task: settings as a whole (omp_display_env, OpenMP 5.1,
// section 3.15, and the extensions of Clang's runtime), the pause of resources (3.6) and the clock (3.10).
// The names that begin with `kmpc_` are further names for C; those with an underscore at their end are Fortran's.
#include <teff/base/clock.hpp>
#include <teff/base/thread.hpp>
#include <teff/frontends/openmp/core/environment/icvs.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/pool/pool.hpp>
#include <teff/team/region.hpp>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <time.h>

// Settings, shown and given in the form of the environment.
using namespace teff::openmp;

extern "C" {

void omp_display_env(int is_verbose) { display_environment(is_verbose != 0); }
void omp_display_env_(const std::int32_t* is_verbose) { display_environment(*is_verbose != 0); }
void omp_display_env_8_(const std::int64_t* is_verbose) { display_environment(*is_verbose != 0); }

void kmp_set_defaults(const char* assignment) { take_setting(assignment); }
void kmpc_set_defaults(const char* assignment) { take_setting(assignment); }
// Fortran passes the length of a text, which has no zero at its end.
void kmp_set_defaults_(const char* assignment, int length) {
    char copy[1024];
    const std::size_t size = length < 0 ? 0 : static_cast<std::size_t>(length);
    if (size >= sizeof copy)
        return;
    std::memcpy(copy, assignment, size);
    copy[size] = '\0';
    take_setting(copy);
}
}

// How threads wait, how large their stacks are, and whether the runtime warns.
extern "C" {

// Milliseconds; INT_MAX: a waiting thread never sleeps.
int kmp_get_blocktime() {
    // relaxed, in all of these functions: see device_icvs.
    return static_cast<int>(std::min<long>(device().spin_us.load(std::memory_order_relaxed) / 1000, INT_MAX));
}
void kmp_set_blocktime(int milliseconds) {
    device().spin_us.store(std::max(milliseconds, 0) * 1000L, std::memory_order_relaxed);
}

// The stack size of threads that are started later. kmp_get_stacksize() cannot return sizes above 2 GiB.
std::size_t kmp_get_stacksize_s() {
    device();
    return teff::next_stack_size();
}
int kmp_get_stacksize() { return static_cast<int>(std::min<std::size_t>(kmp_get_stacksize_s(), INT_MAX)); }
void kmp_set_stacksize_s(std::size_t bytes) {
    device();
    teff::choose_stack_size(std::max<std::size_t>(bytes, 1));
}
void kmp_set_stacksize(int bytes) { kmp_set_stacksize_s(static_cast<std::size_t>(std::max(bytes, 1))); }

// relaxed, both: see device_icvs.
int kmp_get_library() { return static_cast<int>(device().library.load(std::memory_order_relaxed)); }
void kmp_set_library(int mode) {
    if (mode >= static_cast<int>(library_mode::serial) && mode <= static_cast<int>(library_mode::throughput))
        device().library.store(static_cast<library_mode>(mode), std::memory_order_relaxed);
}
void kmp_set_library_serial() { kmp_set_library(static_cast<int>(library_mode::serial)); }
void kmp_set_library_turnaround() { kmp_set_library(static_cast<int>(library_mode::turnaround)); }
void kmp_set_library_throughput() { kmp_set_library(static_cast<int>(library_mode::throughput)); }

// relaxed, both: see device_icvs.
void kmp_set_warnings_on() { device().warns.store(true, std::memory_order_relaxed); }
void kmp_set_warnings_off() { device().warns.store(false, std::memory_order_relaxed); }

// The number of buffers for worksharing loops is fixed.
void kmp_set_disp_num_buffers(int) {}

int kmp_get_num_known_threads() { return static_cast<int>(teff::pool::instance().worker_count()) + 1; }

[[gnu::alias("kmp_get_blocktime")]] int kmp_get_blocktime_();
[[gnu::alias("kmp_get_stacksize")]] int kmp_get_stacksize_();
[[gnu::alias("kmp_get_stacksize_s")]] std::size_t kmp_get_stacksize_s_();
[[gnu::alias("kmp_get_library")]] int kmp_get_library_();
[[gnu::alias("kmp_set_library_serial")]] void kmp_set_library_serial_();
[[gnu::alias("kmp_set_library_turnaround")]] void kmp_set_library_turnaround_();
[[gnu::alias("kmp_set_library_throughput")]] void kmp_set_library_throughput_();
[[gnu::alias("kmp_set_warnings_on")]] void kmp_set_warnings_on_();
[[gnu::alias("kmp_set_warnings_off")]] void kmp_set_warnings_off_();
[[gnu::alias("kmp_get_num_known_threads")]] int kmp_get_num_known_threads_();
void kmp_set_blocktime_(const std::int32_t* milliseconds) { kmp_set_blocktime(*milliseconds); }
void kmp_set_stacksize_(const std::int32_t* bytes) { kmp_set_stacksize(*bytes); }
void kmp_set_stacksize_s_(const std::size_t* bytes) { kmp_set_stacksize_s(*bytes); }
void kmp_set_library_(const std::int32_t* mode) { kmp_set_library(*mode); }
void kmp_set_disp_num_buffers_(const std::int32_t*) {}

void kmpc_set_blocktime(int milliseconds) { kmp_set_blocktime(milliseconds); }
void kmpc_set_stacksize(int bytes) { kmp_set_stacksize(bytes); }
void kmpc_set_stacksize_s(std::size_t bytes) { kmp_set_stacksize_s(bytes); }
void kmpc_set_library(int mode) { kmp_set_library(mode); }
void kmpc_set_disp_num_buffers(int) {}
}

// Pausing resources: the calling thread's teams are given up with their memory, and the workers of the process end, if
// no other thread's team has any of them. So threadprivate variables have their first values in new threads afterwards.
// Both kinds of pause do the same.
namespace {

// omp_pause_resource_t. LLVM adds 0, to resume, which is refused since nothing is ever paused.
enum pause : int { soft = 1, hard = 2 };

// 0: paused. -1: the call is inside a region, or the kind is wrong.
int pause_host(int kind) noexcept {
    constexpr int refused = -1;
    const bool is_outside = this_place().in->level == 0;
    if (!is_outside || (kind != soft && kind != hard))
        return refused;
    teff::end_kept_teams();
    teff::pool::instance().end_idle_workers();
    return 0;
}

}  // namespace

extern "C" {

int omp_pause_resource(int kind, int device) { return device == host_device ? pause_host(kind) : -1; }
int omp_pause_resource_all(int kind) { return pause_host(kind); }
int omp_pause_resource_(const int* kind, const int* device) { return omp_pause_resource(*kind, *device); }
int omp_pause_resource_all_(const int* kind) { return pause_host(*kind); }
int __kmpc_pause_resource(int kind) { return pause_host(kind); }
}

// The clock.
extern "C" {

double omp_get_wtime() { return static_cast<double>(teff::monotonic_ns()) * 1e-9; }
double omp_get_wtick() {
    timespec resolution{};
    ::clock_getres(CLOCK_MONOTONIC, &resolution);
    return static_cast<double>(resolution.tv_sec) + static_cast<double>(resolution.tv_nsec) * 1e-9;
}
[[gnu::alias("omp_get_wtime")]] double omp_get_wtime_();
[[gnu::alias("omp_get_wtick")]] double omp_get_wtick_();
}
