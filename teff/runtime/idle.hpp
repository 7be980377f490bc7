// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long an idle worker searches before it sleeps, and how it passes the time between two looks.
//
// Pauses grow, then the processor is yielded: with more threads than processors the searcher must not keep the one that
// has the work from running. The clock is read on every round; a round without pause costs more than the clock.
#pragma once

#include <teff/base/backoff.hpp>
#include <teff/base/clock.hpp>

#include <cstdint>

namespace teff {

class idle_spin {
public:
    explicit idle_spin(std::int64_t spin_us) noexcept : deadline_ns_(monotonic_ns() + spin_us * 1000) {}

    // Waits a little; false once the time is over.
    bool pause() noexcept {
        if (monotonic_ns() >= deadline_ns_)
            return false;
        if (++rounds_ > yield_after)
            yield_thread();
        else
            for (unsigned i = 0; i < rounds_ * pauses_per_round; ++i)
                cpu_relax();
        return true;
    }

private:
    static constexpr unsigned yield_after = 16, pauses_per_round = 4;
    std::int64_t deadline_ns_;
    unsigned rounds_ = 0;
};

}  // namespace teff
