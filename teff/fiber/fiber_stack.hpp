// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks of fibers: mapped memory with a guard below it (stack_guard.hpp), kept for reuse when a fiber has ended.
//
//   |  guard  |  lowest ..................... lowest + size  |
//             the stack grows down from its end to the guard
//
//   take, give_back, find_fiber_stack    any thread
// A page of a stack takes memory only after its first use, so the unused part of a large stack costs address space
// alone. Stacks lie in slabs. A stack has one of about seventy sizes, four for each power of two.
//
// For each size, up to most_kept_fiber_stacks free stacks keep the memory that they have touched; fewer if together
// they might hold more than 64 MiB. The memory of further free stacks goes back to the system at once (MADV_DONTNEED;
// with MADV_FREE it would be counted as the process's until the system needs it), and a slab is unmapped when all its
// stacks are free and none is kept. So after a million fibers have ended, at most the slabs of the kept stacks remain,
// mostly empty.
#pragma once

#include <teff/base/intrusive.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/fiber/stack_guard.hpp>

#include <cstddef>
#include <cstdint>

namespace teff {

class stack_slab;

// The size of the record that each stack has for its user; find_fiber_stack() shows it.
inline constexpr std::size_t stack_record_size = 64;

struct fiber_stack {
    void* lowest = nullptr;  // nullptr: no stack
    std::size_t size = 0;    // bytes
    stack_slab* slab = nullptr;
    stack_guard guard = stack_guard::none;
    void* record = nullptr;  // its user's record; zero at first
};

// One mapping with many stacks of the same size:
//
//   |  this object  |  guard  |  stack 0  |  guard  |  stack 1  | ...
//
// So a million stacks take a few thousand calls of mmap, and the kernel joins neighbouring slabs to one mapping unless
// guards split them. A stack gets its guard when it is taken for the first time and keeps it, except that a canary may
// be replaced by a better guard later.
//
//                                     safe together?
//   take, give_back, and the queries  no: the owner of the slab has a mutex
//   stack_at, clean                   yes: the caller has taken that stack
// Memory returns to the system when a stack is cleaned, page tables when the slab is unmapped.
class stack_slab : public list_hook {
public:
    // stack_size: a multiple of the page size. Returns nullptr if there is no memory.
    static stack_slab* map(std::size_t stack_size) noexcept;
    // All stacks must be free. False: the system refused, and the slab is unchanged.
    bool unmap() noexcept;

    bool has_free() const noexcept { return free_count_ != 0 || begun_ < count_; }
    bool is_unused() const noexcept { return begun_ == free_count_; }

    // Returns the number of a stack; has_free() must be true.
    unsigned take() noexcept;
    void give_back(const fiber_stack& stack) noexcept;

    // The stack that take() has given this number, with its guard.
    fiber_stack stack_at(unsigned number) noexcept;
    // Calls visit(stack, argument) for all stacks that were taken so far, without their guards, until it returns true.
    // The owner of the slab has its mutex.
    bool find_stack(bool (*visit)(const fiber_stack& each, void* argument) noexcept, void* argument) noexcept;
    // Returns the stack's memory to the system.
    static void clean(const fiber_stack& stack) noexcept;

private:
    static constexpr unsigned most_stacks = 512;
    // On a cache line of its own.
    struct alignas(cache_line_size) stack_record {
        std::byte bytes[stack_record_size];
    };

    stack_slab(std::size_t stack_size, std::size_t mapped, unsigned count) noexcept
        : stack_size_(stack_size), mapped_(mapped), count_(count) {}
    ~stack_slab() = default;

    std::byte* lowest_of(unsigned number) noexcept;

    // constant
    const std::size_t stack_size_;
    const std::size_t mapped_;  // bytes
    const unsigned count_;
    // under the owner's mutex
    unsigned begun_ = 0;  // stacks from this number on were never taken
    unsigned free_count_ = 0;
    std::uint16_t free_[most_stacks];  // the numbers of those that were given back
    // of the thread that has taken the stack
    stack_guard guards_[most_stacks]{};
    stack_record records_[most_stacks];  // a fresh mapping is zero
};

inline constexpr std::size_t most_kept_fiber_stacks = 256;

// Returns a stack of at least `size` bytes; its `lowest` is nullptr if there is no memory.
fiber_stack take_fiber_stack(std::size_t size) noexcept;
// Call after the fiber has ended.
void give_back_fiber_stack(const fiber_stack& ended) noexcept;

// Calls visit(stack, argument) for each stack, used or free, until it returns true; returns whether it did. Under a
// mutex, so visit() must not call any of these functions. In the child of a fork() all records are zero.
bool find_fiber_stack(bool (*visit)(const fiber_stack& each, void* argument) noexcept, void* argument) noexcept;

// False: the fiber has written below the lowest byte of the stack. Always true if the stack's guard is not a canary.
inline bool is_intact(const fiber_stack& used) noexcept {
    return used.guard != stack_guard::canary || canary_is_intact(used.lowest);
}

// Calls a function on another stack. Unlike the code of a fiber (fiber_context.hpp), the function is a part of the
// calling code and returns to it. If a fiber makes the call, it may be suspended inside the function and resumed on
// another thread.

// Runs what(argument) on `stack`, which stays the caller's.
void call_on_stack(const fiber_stack& stack, void (*what)(void* argument) noexcept, void* argument) noexcept;

}  // namespace teff
