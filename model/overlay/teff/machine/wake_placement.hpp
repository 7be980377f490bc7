// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/machine/wake_placement.hpp in the model build, where threads have no processors: a wake-up
// reaches the thread that has slept longest.
#pragma once

#include <teff/base/futex.hpp>

#include <cstdint>

namespace teff {
inline namespace model_checked {

class wake_placement {
public:
    constexpr wake_placement() noexcept = default;

    bool sleep(unsigned, const futex_word& word, std::uint32_t seen,
               std::int64_t timeout_ns = futex_no_timeout) noexcept {
        return futex_wait(word, seen, timeout_ns);
    }
    bool wake_one(const void*) noexcept { return false; }
    void reset_after_fork() noexcept {}
};

}  // namespace model_checked
}  // namespace teff
