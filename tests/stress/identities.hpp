// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts how often each of N identities was delivered, by any number of threads. Each must be delivered exactly once.
#pragma once

#include <teff/base/atomic.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stress {

class identities {
public:
    explicit identities(std::uint64_t count) : delivered_(static_cast<std::size_t>(count)) {}

    // Any thread may call this. Returns false if the identity does not exist or was delivered before.
    bool deliver(std::uint64_t identity) noexcept {
        // relaxed: the counts are read after the threads were joined.
        return identity < delivered_.size() &&
               delivered_[static_cast<std::size_t>(identity)].fetch_add(1, std::memory_order_relaxed) == 0;
    }

    // The number of identities never delivered; call it after the threads were joined.
    std::uint64_t missing() const noexcept {
        std::uint64_t count = 0;
        for (const auto& each : delivered_) {
            // relaxed: after the join.
            count += each.load(std::memory_order_relaxed) == 0 ? 1 : 0;
        }
        return count;
    }

private:
    std::vector<teff::atomic<unsigned char>> delivered_;
};

}  // namespace stress
