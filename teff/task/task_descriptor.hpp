// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task in memory of its own (the descriptor of OMPi, section 2.1): the header, its place in the lists of its
// creator, and the payload, which follows as near as its alignment lets it.
//
// What the creator keeps for itself (the hook) stays the creator's at all times.
#pragma once

#include <teff/base/intrusive_list.hpp>
#include <teff/task/task_header.hpp>

#include <cstddef>
#include <new>

namespace teff {

// The hook is the creator's: its place in the list of pending descriptors, or in that of free ones. Each descriptor
// has cache lines of its own; a small payload shares the header's.
struct task_descriptor : task_header, list_hook {
    // The members of that name are those of the header.
    using task_header::next;

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
