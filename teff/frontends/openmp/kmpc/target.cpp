// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for target constructs. Without code for devices the compiler calls a target region itself; the runtime
// sees it as a task if it has one of the clauses nowait, depend and thread_limit. With nowait, a helper thread runs the
// task (core/regions/helper_threads.hpp). With code for devices LLVM's library for them runs the region, and asks here
// whether offloading is allowed and how it may wait for a device.
#include <teff/frontends/openmp/core/environment/icvs.hpp>
#include <teff/frontends/openmp/core/regions/helper_threads.hpp>
#include <teff/frontends/openmp/core/tasks/completion_event.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>
#include <teff/frontends/openmp/kmpc/task_block.hpp>

namespace teff::openmp::kmpc {

// A helper thread runs the task, and calls the same function.
template <bool HasDestructors>
void call_by_helper(deferred_task& self) noexcept {
    const bool is_dropped = self.is(task::was_dropped), is_on_helper = self.is(task::is_on_helper);
    if (!is_dropped && !is_on_helper && give_to_helper(self))
        return;
    if (!is_dropped)
        call_block(self);
    if constexpr (HasDestructors)
        block_of(self).data_1.destructors(this_place().global_number, &block_of(self));
    if (!is_on_helper)
        fulfil(*self.event);
}

bool is_for_helper(const deferred_task& made) noexcept {
    return made.call == &call_by_helper<false> || made.call == &call_by_helper<true>;
}

}  // namespace teff::openmp::kmpc

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
    task_block* const block = __kmpc_omp_task_alloc(where, number, flags, size, size_shareds, routine);
    if (has_helpers() && routine != nullptr && (flags & (flag_tied | flag_proxy | flag_detachable)) == flag_tied) {
        deferred_task& made = record_of(*block);
        const bool has_destructors = made.is(task::destroys_data);
        allow_event(this_place(), made);
        made.call = has_destructors ? &call_by_helper<true> : &call_by_helper<false>;
        // A dropped task's event is fulfilled by its call.
        made.flags |= task::is_explicit | task::destroys_data;
    }
    return block;
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
