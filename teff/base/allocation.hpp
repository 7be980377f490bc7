// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every byte that the runtime takes comes through here, so that running out of memory is an answer, not an abort.
//
// allocate() returns nullptr when there is no memory; callers degrade (run a task inline) or throw bad_alloc at the
// edge of the public interface. Any thread may call both; memory may be freed by another thread than its allocator.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace teff {

// size in bytes; alignment a power of two.
[[nodiscard]] void* allocate(std::size_t size, std::size_t alignment) noexcept;
void deallocate(void* memory, std::size_t size, std::size_t alignment) noexcept;

// One object; nullptr when there is no memory. What the constructor throws is passed on, the memory is not lost.
template <class T, class... Arguments>
[[nodiscard]] T* create(Arguments&&... arguments) {
    void* memory = allocate(sizeof(T), alignof(T));
    if (memory == nullptr)
        return nullptr;
    try {
        return ::new (memory) T(std::forward<Arguments>(arguments)...);
    } catch (...) {
        deallocate(memory, sizeof(T), alignof(T));
        throw;
    }
}

template <class T>
void destroy(T* object) noexcept {
    if (object == nullptr)
        return;
    object->~T();
    deallocate(object, sizeof(T), alignof(T));
}

// A base with a virtual destructor, for objects made by create() that `delete` ends through it: unlike destroy() that
// knows their own size and alignment.
struct deleted_through_base {
    static void operator delete(void* memory, std::size_t size, std::align_val_t alignment) noexcept {
        deallocate(memory, size, static_cast<std::size_t>(alignment));
    }
};

}  // namespace teff
