// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's only allocator, so that running out of memory is a return value and not an abort.
//
// allocate() returns nullptr when there is no memory; callers then degrade (run a task inline) or throw bad_alloc from
// the public interface. Any thread may call both functions, and may free memory that another thread allocated.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace teff {

// size in bytes; alignment a power of two.
[[nodiscard]] void* allocate(std::size_t size, std::size_t alignment) noexcept;
void deallocate(void* memory, std::size_t size, std::size_t alignment) noexcept;

// Allocates and constructs one object; nullptr when there is no memory. If the constructor throws, the memory is freed
// and the exception propagates.
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

// Inherited by classes with a virtual destructor, whose objects are made by create() and destroyed by `delete` through
// a pointer to a base. Unlike destroy(), `delete` then knows the size and alignment of the complete object.
struct deleted_through_base {
    static void operator delete(void* memory, std::size_t size, std::align_val_t alignment) noexcept {
        deallocate(memory, size, static_cast<std::size_t>(alignment));
    }
};

}  // namespace teff
