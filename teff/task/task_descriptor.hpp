// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The prefix of a task in memory of its own (the descriptor of OMPi, section 2.1), for schedulers whose queues hold
// pointers. The payload follows, as near as its alignment lets it; there is no virtual table.
//
// Fields are written by whoever has the task: its creator until it is pushed, then the queue (next), then the member
// that claimed it. What the creator keeps for itself stays the creator's at all times.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/intrusive_list.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace teff {

class descriptor_pool;

// The hook is the creator's: its place in the list of pending descriptors, or in that of free ones. Each descriptor has
// cache lines of its own; a small payload shares the prefix's.
struct task_descriptor : list_hook {
    // the queue that the descriptor is in: its link, as a pointer or a number
    atomic<task_descriptor*> next{nullptr};
    atomic<std::uint32_t> link{0};
    // set by who is done with the payload (`Exec` in OMPi's Fig. 1), cleared by the creator
    atomic<std::uint32_t> done{0};
    // constant: the pool that it goes back to, and its number there
    descriptor_pool* home = nullptr;
    std::uint32_t index = 0;

    // Where a payload of that alignment (a power of two) begins, bytes from here.
    static constexpr std::size_t payload_offset(std::size_t alignment) noexcept;
    void* payload(std::size_t alignment) noexcept {
        return reinterpret_cast<std::byte*>(this) + payload_offset(alignment);
    }
    static task_descriptor& of_payload(void* payload, std::size_t alignment) noexcept {
        return *std::launder(reinterpret_cast<task_descriptor*>(static_cast<std::byte*>(payload) -
                                                                payload_offset(alignment)));
    }
};

constexpr std::size_t task_descriptor::payload_offset(std::size_t alignment) noexcept {
    return (sizeof(task_descriptor) + alignment - 1) / alignment * alignment;
}

}  // namespace teff
