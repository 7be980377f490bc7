// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The block by which Clang's code and the runtime share a task: the compiler's code reads and writes it. The private
// and shared variables follow it; the runtime's record precedes it, in the same descriptor.
#pragma once

#include <teff/frontends/openmp/core/tasks/submit.hpp>

#include <cstddef>
#include <cstdint>

namespace teff::openmp::kmpc {

struct task_block;
using task_entry = std::int32_t (*)(std::int32_t global_number, task_block* self);

struct task_block {
    void* shareds;
    task_entry routine;
    std::int32_t part;  // of an untied task: where its function continues
    union {
        task_entry destructors;
        std::int32_t priority;
    } data_1, data_2;  // data_1 has the destructors, data_2 the priority
};
static_assert(sizeof(task_block) == 40);

// Flags of the allocation.
inline constexpr std::int32_t flag_tied = 1, flag_final = 2, flag_merged_if0 = 4, flag_destructors = 8,
                              flag_proxy = 16, flag_priority = 32, flag_detachable = 64, flag_hidden_helper = 128;

inline constexpr std::size_t block_alignment = alignof(deferred_task);

// The record of a block, and the reverse.
inline deferred_task& record_of(task_block& block) noexcept {
    return *(reinterpret_cast<deferred_task*>(&block) - 1);
}
inline task_block& block_of(deferred_task& record) noexcept { return *static_cast<task_block*>(record.data); }

// Call the function. The second one also calls the destructors of the private variables after the function's last part,
// and calls only these for a dropped task. A task without a function has only dependences, or an event.
void call_block(deferred_task& self) noexcept;
void call_block_and_destroy(deferred_task& self) noexcept;
// Destroys a task's private variables, for a caller that has called the task's function, or does not call it.
inline void destroy_private(place& caller, deferred_task& ended) noexcept {
    if (ended.call == &call_block_and_destroy) [[unlikely]]
        block_of(ended).data_1.destructors(caller.global_number, &block_of(ended));
}

// Whether the task is made for a helper thread (target.cpp).
bool is_for_helper(const deferred_task& made) noexcept;

// Submits a new task that is deferrable.
inline void submit_block(place& caller, deferred_task& made, const dependence_list& dependences) noexcept {
    if (made.is(task::asks_for_priority))
        set_priority(made, block_of(made).data_2.priority);
    submit(caller, made, true, dependences);
}

}  // namespace teff::openmp::kmpc
