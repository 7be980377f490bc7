// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that a checked program may use: its allocations and the stacks of its threads.
//
// It lies at a fixed address, so that a replayed execution has the same pointers. Each thread allocates upwards from
// a part of its own, so that addresses do not depend on how threads interleave. No memory is used twice within an
// execution, so a stale pointer never points to another object. Between two allocations lie at least 64 unused
// bytes, so an access just past the end of one does not fall into the next. A new allocation is filled with a pattern.
#pragma once

#include <model/vector_clock.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace model {

struct allocation {
    std::byte* begin;
    std::size_t size;
    unsigned thread;
    bool freed;
};

class heap {
public:
    static constexpr std::size_t part_size = std::size_t{1} << 20;
    static constexpr std::size_t stack_size = std::size_t{1} << 17;

    // Ends the program with a message if the address range is not free.
    heap();
    heap(const heap&) = delete;
    heap& operator=(const heap&) = delete;

    void begin() noexcept;
    // alignment: a power of two. Returns nullptr if the thread's part is used up.
    void* allocate(unsigned thread, std::size_t size, std::size_t alignment) noexcept;
    // The allocation that begins at `memory`, or nullptr.
    allocation* find_begin(void* memory) noexcept;
    // The allocation that contains these bytes of the heap, or nullptr if they lie between two allocations or cross
    // an end.
    allocation* find(const void* address, std::size_t size) noexcept;
    // The index of the allocation among those of its thread.
    std::size_t number(const allocation& which) const noexcept {
        return static_cast<std::size_t>(&which - parts_[which.thread].allocations.data());
    }
    // The first allocation that was not freed, or nullptr.
    const allocation* leaked() const noexcept;

    bool contains(const void* address) const noexcept { return offset(address) < heap_size; }
    std::byte* stack_top(unsigned thread) const noexcept;

    // The position in heap and stacks, in bytes; at least `total_size` for any other address.
    std::size_t offset(const void* address) const noexcept {
        return static_cast<std::size_t>(static_cast<const std::byte*>(address) - base_);
    }
    static constexpr std::size_t heap_size = max_threads * part_size;
    static constexpr std::size_t stacks_size = max_threads * stack_size;
    static constexpr std::size_t total_size = heap_size + stacks_size;

private:
    static constexpr std::size_t line = 64;

    struct part {
        std::size_t used = 0;
        std::vector<allocation> allocations;
    };
    std::byte* base_;
    part parts_[max_threads];
    // For each line of the heap: the index of the allocation that covers it, plus one; 0 if there is none.
    std::vector<std::uint16_t> covered_by_ = std::vector<std::uint16_t>(heap_size / line);
};

}  // namespace model
