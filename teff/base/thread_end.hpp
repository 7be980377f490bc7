// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that is called when the calling thread exits, for thread-local variables that are used until then and so
// have no destructor of their own.
#pragma once

namespace teff {

// Calls of it by the same thread, after the first, have no effect. Call it from out-of-line functions only
// (per_thread.hpp).
template <void (*Function)() noexcept>
void call_at_thread_end() noexcept {
    struct caller {
        ~caller() { Function(); }
        void use() const noexcept {}
    };
    static thread_local const caller at_end;
    at_end.use();
}

}  // namespace teff
