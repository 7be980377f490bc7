// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/base/backoff.hpp in the model build: the checker lets the other threads run at every pause of
// a backoff.
#pragma once

#include <model/operations.hpp>

namespace teff {
inline namespace model_checked {

inline void cpu_relax() noexcept { model::pause(); }
inline void yield_thread() noexcept { model::yield(); }

class backoff {
public:
    void pause() noexcept { model::back_off(round_++); }
    void reset() noexcept { round_ = 0; }

private:
    unsigned round_ = 0;
};

}  // namespace model_checked
}  // namespace teff
