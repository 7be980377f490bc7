// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for tasks of any size that one owner makes: a pool of descriptors for each of a few sizes, and the allocator
// for tasks that are larger, or aligned to more than a cache line.
//
//   take, put_back, pending, gather_some    owner only
//   finish                                  any thread that has run the task
// The owner may change, if the last call of the old owner is ordered before the first call of the new one. The pools
// outlive the tasks. (descriptor_pool.hpp has the contract of a single pool and tells how memory is returned to it.)
#pragma once

#include <teff/base/shared_data.hpp>
#include <teff/task/descriptor_pool.hpp>

#include <array>
#include <cstddef>

namespace teff {

class task_pools {
public:
    task_pools() noexcept = default;
    task_pools(const task_pools&) = delete;
    task_pools& operator=(const task_pools&) = delete;

    // Whether such a payload comes from a pool, and not from the allocator.
    static bool is_pooled(std::size_t payload_size, std::size_t payload_alignment) noexcept {
        return class_for(payload_size, payload_alignment) != class_count;
    }

    // Returns a descriptor with room for a payload of that size and alignment (a power of two), which is pending from
    // now on; nullptr if there is no memory.
    task_descriptor* take(std::size_t payload_size, std::size_t payload_alignment) noexcept;
    // The owner returns a descriptor. Its payload has been destroyed. Size and alignment are those passed to take().
    static void put_back(task_descriptor& own, std::size_t payload_size, std::size_t payload_alignment) noexcept;
    // The same for any thread. `mine`: the pools of the calling thread; nullptr: it has none. The caller must not touch
    // the descriptor afterwards.
    static void finish(task_descriptor& ended, task_pools* mine, std::size_t payload_size,
                       std::size_t payload_alignment) noexcept;

    // The number of descriptors that were taken from the pools and are not known to be returned.
    std::size_t pending() const noexcept;
    // Looks at a few of these and frees those that have been returned.
    void gather_some() noexcept;

private:
    // The size classes: a payload fits, together with its descriptor, into one, two, four or eight cache lines.
    static constexpr std::size_t class_count = 4;
    static constexpr std::size_t room_of(std::size_t size_class) noexcept {
        return (cache_line_size << size_class) - task_descriptor::payload_offset(1);
    }
    static std::size_t class_for(std::size_t size, std::size_t alignment) noexcept;
    bool owns(const task_descriptor& some) const noexcept {
        return some.owner >= pools_.data() && some.owner < pools_.data() + class_count;
    }

    std::array<descriptor_pool, class_count> pools_;
};

}  // namespace teff
