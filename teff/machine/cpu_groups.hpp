// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CPUs that belong together: those whose cores are of one kind, and those that share the last-level cache.
//
// Linux tells kinds of cores (small ones that save energy beside large ones) in two ways. On ARM, and with newer
// kernels also elsewhere, each CPU has a capacity (cpuN/cpu_capacity, 1024 for the fastest); each different capacity is
// a kind. On Intel's hybrid processors the CPUs of the small and of the large cores are lists
// (/sys/devices/cpu_atom/cpus, cpu_core/cpus). Where neither is there, all cores are of one kind. Kinds are numbered
// from 0, the slowest.
//
// Functions of their arguments and of files; any thread may call them.
#pragma once

#include <teff/machine/cpu_mask.hpp>

#include <array>

namespace teff {

// The kinds of cores, and the CPUs of each.
struct core_kinds {
    // More kinds than this count as one with the last.
    static constexpr int most = 4;

    // How many kinds there are; at least 1.
    int count = 1;
    // The CPUs of each kind, the slowest first. A CPU that the files do not describe is of kind 0.
    std::array<cpu_mask, most> cpus = {};
};

// The kinds of the CPUs in `usable` by the files below `devices`, which is /sys/devices, but for tests.
[[nodiscard]] core_kinds read_core_kinds(const char* devices, const cpu_mask& usable) noexcept;

// Those of this machine, of the CPUs that the calling thread may run on. Reads some files.
[[nodiscard]] core_kinds core_kinds_of_machine() noexcept;

// A number that all CPUs with the same last-level cache as `cpu` have, and no others: that of the first one of them.
// root: as sysfs_cpu_root (machine_topology.hpp). -1: the kernel does not describe the CPU's caches. Reads a few small
// files; any thread may call it.
[[nodiscard]] int last_level_cache_of(const char* root, int cpu) noexcept;

}  // namespace teff
