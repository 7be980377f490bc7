// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a thread that has nothing to do waits, in one place: it looks, with pauses between two looks; when its time is
// over it announces that it sleeps, looks once more, and sleeps until it is called.
//
// The look after the announcement makes a lost wake-up impossible, since a thread that makes something visible looks
// for sleepers afterwards (the argument with two threads is in scheduler/event_count.hpp).
//
// Pauses grow, then the processor is yielded: with more threads than processors the searcher must not keep the one that
// has the work from running. The clock is read on every round; a round without pause costs more than the clock.
#pragma once

#include <teff/base/backoff.hpp>
#include <teff/base/clock.hpp>
#include <teff/scheduler/event_count.hpp>

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

// A searcher of `where` announces that it sleeps and calls has_reason(); if that is false, sleep(ticket), which is to
// return when the thread was called. It is a searcher again afterwards.
template <class HasReason, class Sleep>
void sleep_unless(event_count& where, HasReason&& has_reason, Sleep&& sleep) noexcept {
    const std::uint32_t ticket = where.prepare_sleep();
    if (has_reason())
        where.cancel_sleep();
    else
        sleep(ticket);
}

// Calls look() until that is true, for spin_us; then either gives up (when_late() returns false), or starts again after
// when_late(), which is to sleep, has returned true. Returns whether a look was true.
template <class Look, class WhenLate>
bool look_until_found(std::int64_t spin_us, Look&& look, WhenLate&& when_late) noexcept {
    for (idle_spin spin(spin_us); !look();) {
        if (spin.pause())
            continue;
        if (!when_late())
            return false;
        spin = idle_spin(spin_us);
    }
    return true;
}

}  // namespace teff
