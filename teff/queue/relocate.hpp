// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moving a run of items to other memory: move-construct there, destroy here.
//
// If a move throws, all items of both runs are destroyed and the exception passes on to the caller, which cancels its
// team. Not thread-safe: both runs belong to the caller.
#pragma once

#include <teff/base/light_standard.hpp>
#include <teff/base/sanitizers.hpp>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace teff {

// [from, from + count) are objects, [to, to + count) is raw memory. The runs may overlap only if T is trivially
// copyable or to < from.
template <class T>
void relocate(T* from, std::size_t count, T* to) {
    if constexpr (std::is_trivially_copyable_v<T>) {
        sanitizers::move_bytes(to, from, count * sizeof(T));
    } else {
        std::size_t done = 0;
        try {
            for (; done < count; ++done) {
                ::new (static_cast<void*>(to + done)) T(std::move(from[done]));
                end_life(from + done);
            }
        } catch (...) {
            end_lives(to, to + done);
            end_lives(from + done, from + count);
            throw;
        }
    }
}

}  // namespace teff
