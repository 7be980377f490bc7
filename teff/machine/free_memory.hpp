// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much memory a new process can still take: the machine's free memory or what the control groups leave, whichever
// is less.
//
// The machine's free memory is the kernel's MemAvailable. A control group with a limit leaves the limit less what is in
// use; pages of inactive files count as free, because the kernel takes them back before it kills a process. The
// tightest of the process's group and its ancestors holds (cgroup_walk.hpp). What cannot be read sets no limit.
#pragma once

#include <teff/machine/cgroup_walk.hpp>

#include <cstdint>
#include <optional>

namespace teff {

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
