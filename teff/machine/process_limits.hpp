// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of the machine this process may use: the CPUs' worth of time that the Linux control groups allow it
// (containers are limited in this way), the number of threads to use if the user does not set one, and the memory that
// it can still take.
//
// The tightest limit of the process's group and its ancestors holds (cgroup.hpp). Whatever cannot be read counts as no
// limit: a guessed limit could only take threads away, which the user would then have to request explicitly.
//
// All functions read the files anew at each call, since a limit may change. Any thread may call them.
#pragma once

#include <teff/machine/cgroup.hpp>
#include <teff/machine/cpu_mask.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace teff {

// The tightest limit in CPUs, rounded up, so at least 1; no_cpu_quota (0) if there is none. Reads the files
// anew at each call, since a limit may change. Any thread may call it; it needs about 24 KiB of stack.
[[nodiscard]] unsigned cpu_quota(const cgroup_roots& roots = {}) noexcept;

// More threads than CPUs would only take turns on the CPUs. More threads than the quota of the control group allows
// would make the kernel stop all of them for the rest of each period. A synthetic topology has no influence here,
// since it describes a machine that does not exist.

// The smaller of the number of CPUs in `mask` and `quota` (no_cpu_quota: no limit); at least 1.
[[nodiscard]] constexpr unsigned default_thread_count(const cpu_mask& mask, unsigned quota) noexcept {
    const auto cpus = static_cast<unsigned>(std::max(mask.count(), 1));
    return quota == no_cpu_quota ? cpus : std::min(cpus, quota);
}

// The smaller of the number of CPUs that the calling thread may run on and the CPU quota of the process's control
// groups; at least 1. Reads a few small files, so call it once and keep the result. Any thread may call it.
[[nodiscard]] inline unsigned default_thread_count() noexcept {
    return default_thread_count(cpu_mask::of_calling_thread(), cpu_quota());
}

// The machine's free memory is the kernel's MemAvailable. A control group with a limit leaves the limit less what is in
// use; pages of inactive files count as free, because the kernel takes them back before it kills a process.

// The files that read_free_memory() reads; others are for tests.
struct memory_files {
    // The kernel's account of the machine's memory.
    const char* meminfo = "/proc/meminfo";
    // Where the control groups are.
    cgroup_roots groups = {};
};

// Memory that the process may still take.
struct free_memory {
    // In bytes.
    std::uint64_t bytes = 0;
    bool is_group_limit = false;  // a control group leaves less than the machine
};

// Reads the files anew at each call. Empty when nothing is known. Any thread may call it; it needs about 40 KiB of
// stack.
[[nodiscard]] std::optional<free_memory> read_free_memory(const memory_files& files = {}) noexcept;

}  // namespace teff
