// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/base/backoff.hpp in the model build: every pause lets the other threads run.
#pragma once

#include <model/operations.hpp>

namespace teff {
inline namespace model_checked {

inline void cpu_relax() noexcept {}
inline void yield_thread() noexcept { model::yield(); }

class backoff {
public:
    void pause() noexcept { model::yield(); }
    void reset() noexcept {}
};

}  // namespace model_checked
}  // namespace teff
