// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for tasks of any size that one creator makes: a pool of descriptors for each of a few sizes, and the
// allocator for tasks that are larger, or aligned to more than a cache line.
//
//   take, put_back, pending, gather    the creator
//   finish                             any thread that has run the task
// The creator may change, if that orders the one's last call before the other's first. The pools outlive the tasks.
// (The contract of a single pool, and how its memory comes back, is in descriptor_pool.hpp.)
#pragma once

#include <teff/base/cache_line.hpp>
#include <teff/task/descriptor_pool.hpp>
#include <teff/task/task_descriptor.hpp>

#include <array>
#include <cstddef>

namespace teff {

class task_pools {
public:
    task_pools() noexcept = default;
    task_pools(const task_pools&) = delete;
    task_pools& operator=(const task_pools&) = delete;

    // A descriptor with room for a payload of that size and alignment (a power of two), pending from now on; nullptr
    // if there is no memory.
    task_descriptor* take(std::size_t payload_size, std::size_t payload_alignment) noexcept;
    // The payload is gone, and the caller is the creator. The size and alignment are those that were asked for.
    static void put_back(task_descriptor& own, std::size_t payload_size, std::size_t payload_alignment) noexcept;
    // The same for any thread: `mine` are the pools of the calling thread; nullptr: it has none. The descriptor must
    // not be touched afterwards.
    static void finish(task_descriptor& ended, task_pools* mine, std::size_t payload_size,
                       std::size_t payload_alignment) noexcept;

    // Tasks from the pools that were taken and are not known to be back.
    std::size_t pending() const noexcept;
    // Looks whether a few of them are back.
    void gather_some() noexcept;

private:
    // Payloads that fit with a descriptor into one, two, four, eight cache lines.
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
