// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first looks of a wait. A member of a fixed team, and a thread that waits for its turn in an arena, check their
// condition some times before they count as waiting: it often becomes true within a microsecond. Beginning and ending a
// search would take longer.
//
// With more members than processors the awaited member may need this thread's processor. Then the thread yields between
// two looks: falling asleep and being woken would cost ten times as much. With enough processors it yields once, after
// the last look. The system may have put two members on one processor, or another program may use a processor; with the
// yield the awaited member runs at once, without it only after the pauses of a search (20 us).
//
// If other programs use the processors, too, a yield can cost a whole time slice of theirs, while a sleeper runs soon
// after it is woken. So a yield that took long forbids further yields for many times as long, and no wait yields for
// ever.
//
// Any thread may call is_met_soon().
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/clock.hpp>

#include <cstdint>

namespace teff {

class first_looks {
public:
    // more: the number of looks after the first one.
    struct plan {
        unsigned more = 0;
        bool yields = false;  // between all looks
    };
    explicit first_looks(plan chosen) noexcept : plan_(chosen) {}

    // Whether the condition is met at one of the looks.
    template <class Condition>
    bool is_met_soon(Condition&& is_met) noexcept {
        if (plan_.yields)
            return is_met() || is_met_after_yields(is_met, plan_.more);
        // The condition is checked in one place only, so that the compiler inlines it here.
        for (unsigned more = plan_.more; !is_met(); --more) {
            if (more == 0)
                return plan_.more != 0 && is_met_after_yields(is_met, 1);
            cpu_relax();
        }
        return true;
    }

    // Whether there are more members than processors.
    bool yields() const noexcept { return plan_.yields; }

private:
    // Longer than a yield to all other members of a large team, shorter than a time slice.
    static constexpr std::int64_t long_yield_ns = 500'000;
    static constexpr std::int64_t rest = 100;

    template <class Condition>
    [[gnu::noinline]] bool is_met_after_yields(Condition& is_met, unsigned yields) noexcept {
        std::int64_t before_ns = monotonic_ns();
        // relaxed, also below: a hint.
        if (before_ns < no_yields_until_ns_.load(std::memory_order_relaxed))
            return false;
        for (unsigned look = 0; look < yields; ++look) {
            yield_thread();
            const std::int64_t now_ns = monotonic_ns(), took_ns = now_ns - before_ns;
            if (took_ns > long_yield_ns) {
                no_yields_until_ns_.store(now_ns + rest * took_ns, std::memory_order_relaxed);
                return is_met();
            }
            if (is_met())
                return true;
            before_ns = now_ns;
        }
        return false;
    }

    const plan plan_;
    atomic<std::int64_t> no_yields_until_ns_{0};
};

}  // namespace teff
