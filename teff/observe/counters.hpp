// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Storage for the counters of teff/counters.hpp, and the measurement of idle time.
#pragma once

#include <teff/base/clock.hpp>
#include <teff/counters.hpp>

namespace teff {

// Adds `counted` to the counters of `worker` (0 to 4096). Any thread.
void add_counters(unsigned worker, const worker_counters& counted) noexcept;

// Adds the time from construction to destruction to the idle time in `to`, unless `to` is nullptr.
class idle_time {
public:
    explicit idle_time(worker_counters* to) noexcept : to_(to), start_ns_(to == nullptr ? 0 : monotonic_ns()) {}
    ~idle_time() {
        if (to_ != nullptr)
            to_->idle_ns += static_cast<std::uint64_t>(monotonic_ns() - start_ns_);
    }
    idle_time(const idle_time&) = delete;
    idle_time& operator=(const idle_time&) = delete;

private:
    worker_counters* to_;
    std::int64_t start_ns_;
};

}  // namespace teff
