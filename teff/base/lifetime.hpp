// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Begins and ends the lifetimes of objects in memory that the caller has allocated, one object or an array of them; and
// the address of an object, whatever its operator & does.
//
// For headers that users include: <memory>, which has the same functions, takes a compiler long.
#pragma once

#include <cstddef>
#include <new>

namespace teff {

template <class T>
constexpr T* address_of(T& object) noexcept {
    return __builtin_addressof(object);
}

template <class T>
constexpr void end_life(T* object) noexcept {
    object->~T();
}
// Of [first, end), in their order.
template <class T>
constexpr void end_lives(T* first, T* end) noexcept {
    for (; first != end; ++first)
        first->~T();
}

// Default-initialises `count` objects at `first`. If a constructor throws, those before it are destroyed.
template <class T>
void begin_lives(T* first, std::size_t count) {
    std::size_t made = 0;
    try {
        for (; made != count; ++made)
            ::new (static_cast<void*>(first + made)) T;
    } catch (...) {
        end_lives(first, first + made);
        throw;
    }
}

}  // namespace teff
