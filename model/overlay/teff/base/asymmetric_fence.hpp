// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/base/asymmetric_fence.hpp in the model build: a heavy fence is a fence in each thread, one after the
// other. The checker does not reorder what the compiler could, so a light fence is nothing. A scenario may play a
// kernel that refuses heavy fences.
#pragma once

#include <model/operations.hpp>
#include <teff/base/atomic.hpp>

namespace teff {
inline namespace model_checked {

// Set by a scenario before it starts other threads; the checker resets it after each execution.
inline bool refuses_heavy_fences = false;

inline void light_fence() noexcept {}

inline bool heavy_fence(site where = site::current()) noexcept {
    if (!refuses_heavy_fences)
        model::fence_in_all_threads(where);
    return !refuses_heavy_fences;
}

inline void prepare_heavy_fence() noexcept {}

inline bool may_use_heavy_fence() noexcept { return !refuses_heavy_fences; }

}  // namespace model_checked
}  // namespace teff
