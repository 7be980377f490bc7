// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for tasks, taskwait and taskgroup.
#include <teff/frontends/openmp/core/tasks/completion_event.hpp>
#include <teff/frontends/openmp/core/tasks/run.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>
#include <teff/frontends/openmp/kmpc/task_block.hpp>
#include <teff/observe/timeline.hpp>

namespace teff::openmp::kmpc {

void call_block(deferred_task& self) noexcept {
    task_block& block = block_of(self);
    if (block.routine != nullptr)
        block.routine(this_place().global_number, &block);
}
void call_block_and_destroy(deferred_task& self) noexcept {
    if (!self.is(task::was_dropped))
        call_block(self);
    if (!self.is_resubmitted)
        destroy_private(this_place(), self);
}

namespace {

// A task that is not simply called: it may be deferred, or has one of the flags.
[[gnu::noinline]] std::int32_t submit_unusual(deferred_task& made) noexcept {
    place& caller = this_place();
    // An untied task submits its next part from inside.
    if (caller.current == &made)
        made.is_resubmitted = true;
    else
        submit_block(caller, made, {});
    return 0;
}

// Sets the flags of a new task whose block has its routine. A task without flags may simply be called.
[[gnu::noinline]] void set_flags(deferred_task& made, std::int32_t flags) noexcept {
    made.flags = ((flags & flag_tied) != 0 ? 0U : task::is_untied) | ((flags & flag_final) != 0 ? task::is_final : 0U) |
                 ((flags & flag_priority) != 0 ? task::asks_for_priority : 0U) |
                 (block_of(made).routine == nullptr ? task::is_explicit : 0U);
    if ((flags & flag_destructors) != 0) {
        made.call = &call_block_and_destroy;
        made.flags |= task::is_explicit | task::destroys_data;
    }
    if ((flags & flag_proxy) != 0) {
        allow_event(this_place(), made);
        made.flags |= task::is_explicit;
    }
}

// An untied task whose first part the caller has called, and which has submitted the second one.
[[gnu::noinline]] void call_other_parts(deferred_task& self) noexcept {
    do {
        self.is_resubmitted = false;
        self.call(self);
    } while (self.is_resubmitted);
}

}  // namespace
}  // namespace teff::openmp::kmpc

using namespace teff::openmp;
using namespace teff::openmp::kmpc;

extern "C" {

// size: of the block with the private variables; the shared ones follow, aligned as a pointer is.
task_block* __kmpc_omp_task_alloc(ident*, std::int32_t, std::int32_t flags, std::size_t size, std::size_t size_shareds,
                                  task_entry routine) {
    constexpr std::size_t word = sizeof(void*);
    const std::size_t shareds_at = (size + word - 1) & ~(word - 1);
    deferred_task& made = make_task(this_place(), shareds_at + size_shareds, block_alignment);
    auto* const block = reinterpret_cast<task_block*>(data_of(made, block_alignment));
    made.data = block;
    made.call = &call_block;
    made.data_size = static_cast<std::uint32_t>(shareds_at + size_shareds);
    block->shareds = size_shareds == 0 ? nullptr : reinterpret_cast<std::byte*>(block) + shareds_at;
    block->routine = routine;
    block->part = 0;
    if (flags != flag_tied || routine == nullptr) [[unlikely]]
        set_flags(made, flags);
    return block;
}

std::int32_t __kmpc_omp_task(ident*, std::int32_t, task_block* block) {
    deferred_task& made = record_of(*block);
    place* const caller = find_place();
    if (caller == nullptr || made.flags != 0 || !is_surely_plain(*caller) || caller->may_cancel) [[unlikely]]
        return submit_unusual(made);
    begin_now(*caller, made);
    block->routine(caller->global_number, block);
    end_now(*caller, made);
    return 0;
}
std::int32_t __kmpc_omp_task_parts(ident* location, std::int32_t number, task_block* block) {
    return __kmpc_omp_task(location, number, block);
}

// The caller runs the function of an undeferred task between these two calls.
void __kmpc_omp_task_begin_if0(ident*, std::int32_t, task_block* block) {
    place& caller = this_place();
    deferred_task& made = record_of(*block);
    if (made.event != nullptr) [[unlikely]]
        return begin_undeferred_with_event(caller, made);
    begin_now(caller, made);
}
void __kmpc_omp_task_complete_if0(ident*, std::int32_t, task_block* block) {
    place& caller = this_place();
    deferred_task& made = record_of(*block);
    if (made.is_resubmitted) [[unlikely]]
        call_other_parts(made);
    else
        destroy_private(caller, made);
    if (made.event != nullptr) [[unlikely]]
        return end_undeferred_with_event(caller, made);
    end_now(caller, made);
}

std::int32_t __kmpc_omp_taskwait(ident*, std::int32_t) {
    wait_for_children(this_place());
    return 0;
}
std::int32_t __kmpc_omp_taskyield(ident*, std::int32_t, int) {
    yield_to_task(this_place());
    return 0;
}

// The event of a detach clause: what omp_fulfill_event() gets.
void* __kmpc_task_allow_completion_event(ident*, std::int32_t, task_block* block) {
    deferred_task& made = record_of(*block);
    allow_event(this_place(), made);
    made.flags |= task::is_explicit;
    return made.event;
}
// The end of a proxy task, on a thread of the team or on any other one.
void __kmpc_proxy_task_completed(std::int32_t, task_block* block) { fulfil(*record_of(*block).event); }
void __kmpc_proxy_task_completed_ooo(task_block* block) { fulfil(*record_of(*block).event); }

// Where a task should run is a hint.
std::int32_t __kmpc_omp_reg_task_with_affinity(ident*, std::int32_t, task_block*, std::int32_t, void*) { return 0; }

void __kmpc_taskgroup(ident*, std::int32_t) { begin_taskgroup(this_place()); }
void __kmpc_end_taskgroup(ident*, std::int32_t) { end_taskgroup(this_place()); }
}

// For both compilers' tasks.
const void* teff::traced_function_of(const task_header& task) noexcept {
    using namespace openmp;
    const deferred_task* const queued = as_queued_task(task);
    if (queued == nullptr)
        return nullptr;
    if (queued->call == &kmpc::call_block || queued->call == &kmpc::call_block_and_destroy)
        return reinterpret_cast<const void*>(static_cast<const kmpc::task_block*>(queued->data)->routine);
    return queued->function;
}
