// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an idle thread waits; all idle waits use this code. The thread looks for work, with pauses between the looks.
// After spin_us it announces that it will sleep, looks once more, and sleeps until it is woken.
//
// The look after the announcement prevents a lost wake-up: a thread that makes work visible looks for sleepers
// afterwards (the two-thread argument is in scheduler/event_count.hpp).
//
// Pauses grow, and after some rounds the thread yields its processor instead: with more threads than processors, a
// searcher must not occupy the processor of the thread that has the work. The clock is read in every round, since a
// look costs more than reading the clock.
#pragma once

#include <teff/base/backoff.hpp>
#include <teff/base/clock.hpp>
#include <teff/scheduler/event_count.hpp>

#include <cstdint>

namespace teff {

class idle_spin {
public:
    explicit idle_spin(std::int64_t spin_us) noexcept : deadline_ns_(monotonic_ns() + spin_us * 1000) {}

    // Pauses or yields once; false once the time is over.
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

// Called by a thread that `where` counts as a searcher (event_count.hpp). Announces that the thread will sleep, then
// calls has_reason(), which says whether to stay awake after all. If not, calls sleep(ticket), which must return when
// the thread is notified and count it as a searcher again. So the thread is a searcher when this function returns.
template <class HasReason, class Sleep>
void sleep_unless(event_count& where, HasReason&& has_reason, Sleep&& sleep) noexcept {
    const std::uint32_t ticket = where.prepare_sleep();
    if (has_reason())
        where.cancel_sleep();
    else
        sleep(ticket);
}

// Calls look() for spin_us, until it returns true. After that time it calls when_late(), which either returns false to
// give up, or sleeps and returns true to start again. Returns whether look() returned true.
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
