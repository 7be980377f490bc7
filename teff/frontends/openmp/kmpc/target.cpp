// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for target constructs. Without code for devices the compiler calls a target region itself; the runtime
// sees it as a task if it has one of the clauses nowait, depend and thread_limit. With such code LLVM's library for
// devices runs it, and asks here whether offloading is allowed and how it may wait for a device.
#include <teff/frontends/openmp/core/environment/icvs.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>
#include <teff/frontends/openmp/kmpc/task_block.hpp>

using namespace teff::openmp;
using namespace teff::openmp::kmpc;

extern "C" {

task_block* __kmpc_omp_task_alloc(ident*, std::int32_t, std::int32_t flags, std::size_t size, std::size_t size_shareds,
                                  task_entry routine);

// A target construct with nowait. device: -1 is the default device.
task_block* __kmpc_omp_target_task_alloc(ident* where, std::int32_t number, std::int32_t flags, std::size_t size,
                                         std::size_t size_shareds, task_entry routine, std::int64_t device) {
    constexpr std::int64_t default_device = -1;
    use_host_for(device == default_device ? this_place().current->environment->default_device
                                          : static_cast<int>(device));
    return __kmpc_omp_task_alloc(where, number, flags, size, size_shareds, routine);
}

// The thread_limit clause, called inside the target region's task.
void __kmpc_set_thread_limit(ident*, std::int32_t, std::int32_t limit) {
    if (limit > 0)
        own_environment(this_place()).thread_limit = static_cast<unsigned>(limit);
}

// Without a task team and a handle, a target region that waits for a device blocks its thread, which runs no other task
// meanwhile.
std::int32_t __kmpc_omp_has_task_team(std::int32_t) { return 0; }
void** __kmpc_omp_get_target_async_handle_ptr(std::int32_t) { return nullptr; }

// relaxed: see device_icvs.
int __kmpc_get_target_offload() { return static_cast<int>(device().offload.load(std::memory_order_relaxed)); }
}
