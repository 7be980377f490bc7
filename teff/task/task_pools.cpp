// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the size class of a task, and allocates tasks that are too large for every class; see task_pools.hpp.
#include <teff/task/task_pools.hpp>

#include <teff/base/allocation.hpp>

#include <algorithm>
#include <new>

namespace teff {
namespace {

std::size_t alignment_of_large(std::size_t payload_alignment) noexcept {
    return std::max(payload_alignment, cache_line_size);
}
std::size_t size_of_large(std::size_t payload_size, std::size_t payload_alignment) noexcept {
    return task_descriptor::payload_offset(payload_alignment) + payload_size;
}

}  // namespace

// Returns class_count if no pool has room for the payload.
std::size_t task_pools::class_for(std::size_t size, std::size_t alignment) noexcept {
    if (alignment > cache_line_size)
        return class_count;
    const std::size_t padding = task_descriptor::payload_offset(alignment) - task_descriptor::payload_offset(1);
    std::size_t found = 0;
    while (found < class_count && size + padding > room_of(found))
        ++found;
    return found;
}

task_descriptor* task_pools::take(std::size_t payload_size, std::size_t payload_alignment) noexcept {
    const std::size_t size_class = class_for(payload_size, payload_alignment);
    if (size_class == class_count) {
        void* const memory = allocate(size_of_large(payload_size, payload_alignment),
                                      alignment_of_large(payload_alignment));
        return memory == nullptr ? nullptr : ::new (memory) task_descriptor;
    }
    descriptor_pool& pool = pools_[size_class];
    if (!pool.is_open() && !pool.open(room_of(size_class), 1)) [[unlikely]]
        return nullptr;
    return pool.take();
}

void task_pools::put_back(task_descriptor& own, std::size_t payload_size, std::size_t payload_alignment) noexcept {
    if (own.owner != nullptr) {
        own.owner->put_back(own);
        return;
    }
    own.~task_descriptor();
    deallocate(&own, size_of_large(payload_size, payload_alignment), alignment_of_large(payload_alignment));
}

void task_pools::finish(task_descriptor& ended, task_pools* mine, std::size_t payload_size,
                        std::size_t payload_alignment) noexcept {
    if (ended.owner == nullptr || (mine != nullptr && mine->owns(ended)))
        put_back(ended, payload_size, payload_alignment);
    else
        descriptor_pool::finish(ended);
}

std::size_t task_pools::pending() const noexcept {
    std::size_t sum = 0;
    for (const descriptor_pool& each : pools_)
        sum += each.pending();
    return sum;
}

void task_pools::gather_some() noexcept {
    for (descriptor_pool& each : pools_)
        each.gather_some();
}

}  // namespace teff
