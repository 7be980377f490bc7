// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extensions of Clang's runtime that set and tell how threads wait and how large their stacks are. The names that begin
// with `kmpc_` are further names for C; those with an underscore at their end are Fortran's.
#include <teff/base/thread.hpp>
#include <teff/frontends/openmp/core/environment/icvs.hpp>
#include <teff/pool/pool.hpp>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>

using namespace teff::openmp;

extern "C" {

// Milliseconds; INT_MAX: a waiting thread never sleeps.
int kmp_get_blocktime() {
    // relaxed, in all of this file: see device_icvs.
    return static_cast<int>(std::min<long>(device().spin_us.load(std::memory_order_relaxed) / 1000, INT_MAX));
}
void kmp_set_blocktime(int milliseconds) {
    device().spin_us.store(std::max(milliseconds, 0) * 1000L, std::memory_order_relaxed);
}

// Of threads that are started later. Unlike this one, the old form cannot tell sizes above 2 GiB.
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
