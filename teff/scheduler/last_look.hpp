// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When the owner of a queue last looked into it. With the option `rescue`, other members take items from a queue whose
// owner has not looked for a while: it is inside a long task, or blocked.
//
//   note           the owner, or any of several, at each look
//   is_long_ago    any thread; a hint
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/clock.hpp>

#include <cstdint>

namespace teff {

class last_look {
public:
    // relaxed, both: a hint.
    void note() noexcept { at_ns_.store(monotonic_ns(), std::memory_order_relaxed); }
    bool is_long_ago() const noexcept {
        return monotonic_ns() - at_ns_.load(std::memory_order_relaxed) >= a_while_ns;
    }

private:
    // Longer than the time between two looks of an owner that runs short tasks.
    static constexpr std::int64_t a_while_ns = 10'000;
    atomic<std::int64_t> at_ns_{0};
};

}  // namespace teff
