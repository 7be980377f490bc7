// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for tasks in descriptors. There are two kinds for tasks of usual size:
//
//   spare blocks     of one size, in a list of the thread, last in first out; for tasks that will probably run at once
//   descriptors      from the pools of the member that makes the task (task/descriptor_pool.hpp). Schedulers that bound
//                    the number of waiting tasks count these.
//
// A task that is too large for both gets a larger spare block, or memory of its own if it is larger still. A thread
// that ends a task with a spare block keeps the block, whichever thread has made it. Beyond a bound it offers blocks to
// the other threads of its team (teams/spare_exchange.hpp), and frees the block if they have enough.
#pragma once

#include <teff/base/sanitizers.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/tasks/own_spare_blocks.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/strand/running_strand.hpp>

#include <cstddef>

namespace teff::openmp {

// The size of a spare block's payload, the task's record included.
inline constexpr std::size_t spare_payload = 256 - task_descriptor::payload_offset(alignof(deferred_task));

// The slow paths. Ends the program with a message if there is no memory.
[[gnu::noinline]] deferred_task& make_spare_block(place& caller) noexcept;
[[gnu::noinline]] deferred_task& make_pooled_task(place& caller, std::size_t payload) noexcept;
[[gnu::noinline]] void free_other_task(place& caller, deferred_task& ended) noexcept;
// Frees those of the calling thread.
void free_spare_blocks() noexcept;
// Frees those that the threads of a team offer. No thread uses the team any more.
void free_exchanged_blocks(team& ended) noexcept;

// The list must not be empty.
inline deferred_task* take_from(spare_list& blocks) noexcept {
    deferred_task* const taken = blocks.first;
    blocks.first = taken->next_spare;
    --blocks.count;
    return taken;
}
inline void put_into(spare_list& blocks, deferred_task& ended) noexcept {
    ended.next_spare = blocks.first;
    blocks.first = &ended;
    ++blocks.count;
}

// While other code tells ThreadSanitizer the orders (base/sanitizers.hpp), each task has memory of its own.
inline bool uses_new_memory() noexcept {
    if constexpr (events::are_reported)
        return sanitizers::leaves_orders();
    return false;
}
[[gnu::noinline]] deferred_task& make_task_in_new_memory(std::size_t payload) noexcept;
[[gnu::noinline]] void free_task_in_new_memory(deferred_task& ended) noexcept;

// Makes a task with `size` bytes of data behind it, aligned to `alignment` (a power of two).
inline deferred_task& make_task(place& caller, std::size_t size, std::size_t alignment) noexcept {
    const std::size_t padding = alignment <= alignof(deferred_task) ? 0 : alignment - alignof(deferred_task);
    const std::size_t payload = sizeof(deferred_task) + padding + size;
    if (uses_new_memory())
        return make_task_in_new_memory(payload);
    if (payload > spare_payload || !(is_plain() || caller.size == 1)) [[unlikely]]
        return make_pooled_task(caller, payload);
    spare_list& blocks = own_spare_blocks.usual;
    if (blocks.first == nullptr) [[unlikely]]
        return make_spare_block(caller);
    return *::new (static_cast<void*>(take_from(blocks))) deferred_task;
}
// The address of the task's data.
inline std::byte* data_of(deferred_task& made, std::size_t alignment) noexcept {
    if (alignment <= alignof(deferred_task))
        return reinterpret_cast<std::byte*>(&made + 1);
    const auto after = reinterpret_cast<std::uintptr_t>(&made + 1);
    return reinterpret_cast<std::byte*>((after + alignment - 1) & ~(alignment - 1));
}
inline void free_task(place& caller, deferred_task& ended) noexcept {
    if (uses_new_memory())
        return free_task_in_new_memory(ended);
    if (ended.payload_size != 0 || own_spare_blocks.usual.count == spare_blocks::most) [[unlikely]]
        return free_other_task(caller, ended);
    put_into(own_spare_blocks.usual, ended);
}

}  // namespace teff::openmp
