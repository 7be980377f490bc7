// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The strand that the calling thread runs.
#pragma once

#include <teff/runtime/running_thread.hpp>

namespace teff {

// Its address is good until the strand ends, also after it was resumed on another thread.
inline strand& running_strand() noexcept {
    if (running_thread.running == nullptr) [[unlikely]] {
        running_thread.own.home = &running_thread.own;
        running_thread.running = &running_thread.own;
    }
    return *running_thread.running;
}

}  // namespace teff
