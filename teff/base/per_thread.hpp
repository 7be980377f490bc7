// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One object of a type for each thread, constant-initialised at the thread's first use and never destroyed.
//
// Call it from out-of-line functions only, so that no compiler keeps the address of a thread-local variable across a
// point where the code may continue on another thread.
#pragma once

#include <type_traits>

namespace teff {

template <class T>
T& per_thread() noexcept {
    static_assert(std::is_trivially_destructible_v<T>);
    static thread_local constinit T object;
    return object;
}

}  // namespace teff
