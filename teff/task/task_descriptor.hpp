// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task in memory of its own (the descriptor of OMPi, section 2.1): the task header, the hook for the lists of its
// owner, and the payload, which follows as closely as its alignment allows.
//
// Only the owner, the member that made the task, ever accesses the hook, whichever thread holds the task.
#pragma once

#include <teff/base/intrusive_list.hpp>
#include <teff/task/task_header.hpp>

#include <cstddef>
#include <new>

namespace teff {

// The hook links the descriptor into the owner's list of pending descriptors, or into that of free ones. Each
// descriptor has cache lines of its own; a small payload shares the header's line.
struct task_descriptor : task_header, list_hook {
    // `next` is the header's member, not the hook's.
    using task_header::next;

    // The offset of a payload with that alignment (a power of two) from the start of the descriptor, in bytes.
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
