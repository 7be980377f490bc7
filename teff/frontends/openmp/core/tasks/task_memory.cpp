// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slow paths of task_memory.hpp.
#include <teff/frontends/openmp/core/tasks/task_memory.hpp>

#include <teff/base/allocation.hpp>
#include <teff/task/descriptor_pool.hpp>
#include <teff/team/task_team.hpp>

#include <algorithm>
#include <bit>
#include <new>

namespace teff::openmp {
namespace {

constexpr std::size_t block_size = task_descriptor::payload_offset(alignof(deferred_task)) + spare_payload;

task_pools& pools_of(place& caller) noexcept {
    if (caller.pools == nullptr) {
        task_member* const self = running_thread.member;
        // A thread outside of all teams keeps its pools until it ends.
        caller.pools = self != nullptr ? self->make_pools() : create<task_pools>();
        if (caller.pools == nullptr)
            end_without_memory_for_task();
    }
    return *caller.pools;
}

void free_spare_block(deferred_task& block) noexcept {
    task_descriptor& memory = block.memory();
    memory.~task_descriptor();
    deallocate(&memory, block_size, cache_line_size);
}

// The thread's list of large blocks for this payload; nullptr: the payload is too large for them.
spare_list* large_blocks_for(std::size_t payload) noexcept {
    if (payload > spare_blocks::largest)
        return nullptr;
    return &own_spare_blocks.large[std::bit_width((payload - 1) / spare_blocks::smallest_large)];
}
// nullptr: there is none.
deferred_task* take_large_block(std::size_t payload) noexcept {
    spare_list* const blocks = large_blocks_for(payload);
    if (blocks == nullptr || blocks->first == nullptr)
        return nullptr;
    deferred_task* const taken = take_from(*blocks);
    const std::uint32_t room = taken->payload_size;
    auto* const made = ::new (static_cast<void*>(taken)) deferred_task;
    made->payload_size = room;
    return made;
}
// False: the caller frees its memory.
bool keep_large_block(deferred_task& ended) noexcept {
    spare_list* const blocks = large_blocks_for(ended.payload_size);
    if (ended.memory().owner != nullptr || blocks == nullptr || blocks->count == spare_blocks::most_large)
        return false;
    put_into(*blocks, ended);
    return true;
}

void free_all(spare_list& blocks) noexcept {
    while (blocks.first != nullptr)
        free_spare_block(*take_from(blocks));
}

// The thread's list must be full. False: the other threads of the team have enough blocks.
bool offer_spare_blocks(team& in) noexcept {
    spare_list& blocks = own_spare_blocks.usual;
    static_assert(spare_exchange::batch < spare_blocks::most);
    if (in.spares.is_full())
        return false;
    deferred_task* const first = blocks.first;
    deferred_task* last = first;
    for (unsigned each = 1; each != spare_exchange::batch; ++each)
        last = last->next_spare;
    deferred_task* const rest = last->next_spare;
    last->next_spare = nullptr;
    if (!in.spares.put(*first)) {
        last->next_spare = rest;
        return false;
    }
    blocks.first = rest;
    blocks.count -= spare_exchange::batch;
    return true;
}

}  // namespace

deferred_task& make_spare_block(place& caller) noexcept {
    if (deferred_task* const first = caller.in->spares.take()) {
        own_spare_blocks.usual = {first, spare_exchange::batch};
        return *::new (static_cast<void*>(take_from(own_spare_blocks.usual))) deferred_task;
    }
    void* const memory = allocate(block_size, cache_line_size);
    if (memory == nullptr)
        end_without_memory_for_task();
    auto* const descriptor = ::new (memory) task_descriptor;
    return *::new (descriptor->payload(alignof(deferred_task))) deferred_task;
}

namespace {

constexpr std::size_t size_with(std::size_t payload) noexcept {
    return task_descriptor::payload_offset(alignof(deferred_task)) + payload;
}

}  // namespace

deferred_task& make_task_in_new_memory(std::size_t payload) noexcept {
    void* const memory = payload <= 0xffff'ffff ? allocate(size_with(payload), cache_line_size) : nullptr;
    if (memory == nullptr)
        end_without_memory_for_task();
    auto* const descriptor = ::new (memory) task_descriptor;
    auto* const made = ::new (descriptor->payload(alignof(deferred_task))) deferred_task;
    made->payload_size = static_cast<std::uint32_t>(payload);
    return *made;
}
void free_task_in_new_memory(deferred_task& ended) noexcept {
    task_descriptor& memory = ended.memory();
    const std::size_t size = size_with(ended.payload_size);
    memory.~task_descriptor();
    deallocate(&memory, size, cache_line_size);
}

deferred_task& make_pooled_task(place& caller, std::size_t payload) noexcept {
    if (!task_pools::is_pooled(payload, alignof(deferred_task))) {
        if (deferred_task* const spare = take_large_block(payload))
            return *spare;
        if (payload <= spare_blocks::largest)
            payload = std::max(std::bit_ceil(payload), spare_blocks::smallest_large);
    }
    task_descriptor* const memory = pools_of(caller).take(payload, alignof(deferred_task));
    if (memory == nullptr || payload > 0xffff'ffff)
        end_without_memory_for_task();
    auto* const made = ::new (memory->payload(alignof(deferred_task))) deferred_task;
    made->payload_size = static_cast<std::uint32_t>(payload);
    return *made;
}

void free_other_task(place& caller, deferred_task& ended) noexcept {
    if (ended.payload_size == 0) {
        if (!offer_spare_blocks(*caller.in))
            return free_spare_block(ended);
        return put_into(own_spare_blocks.usual, ended);
    }
    if (keep_large_block(ended))
        return;
    task_member* const self = running_thread.member;
    task_pools::finish(ended.memory(), self != nullptr ? self->pools() : caller.pools, ended.payload_size,
                       alignof(deferred_task));
}

void free_exchanged_blocks(team& ended) noexcept {
    while (deferred_task* const first = ended.spares.take()) {
        spare_list blocks{first, spare_exchange::batch};
        free_all(blocks);
    }
}

void free_spare_blocks() noexcept {
    free_all(own_spare_blocks.usual);
    for (spare_list& blocks : own_spare_blocks.large) {
        while (blocks.first != nullptr) {
            deferred_task& block = *take_from(blocks);
            task_pools::finish(block.memory(), nullptr, block.payload_size, alignof(deferred_task));
        }
    }
}

}  // namespace teff::openmp
