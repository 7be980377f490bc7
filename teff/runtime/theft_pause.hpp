// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a member that has run what it took from another one pauses before it looks for more.
//
// With a scheduler that shares on request, to give a task away costs the owner about as much as to run a task of a few
// hundred cycles itself. A thief that gets such tasks and comes back at once makes the owner slower than it would be
// alone. So it pauses, twice as long after each such theft, until a theft brings more work. It still counts as a
// searcher: it looks again within a few microseconds, and at once if what it waits for has happened.
//
// Only one thread uses an object.
#pragma once

#include <teff/base/backoff.hpp>
#include <teff/base/cycle_clock.hpp>

#include <algorithm>
#include <cstdint>

namespace teff {

class theft_pause {
public:
    // All in cycles of cycle_count(). Work that took less was not worth the theft.
    static constexpr std::int64_t worthwhile = 1 << 10;
    static constexpr std::int64_t least = 1 << 10, most = 1 << 14;

    // A theft has succeeded; the member runs what it got.
    void begin_work(std::int64_t now) noexcept { begun_ = now; }
    // The member has run it. Returns for how long it should pause.
    std::int64_t end_work(std::int64_t now) noexcept {
        if (begun_ == 0)
            return 0;
        const std::int64_t took = now - begun_;
        begun_ = 0;
        // A clock that was set back, with the machine, counts as much work.
        pause_ = took >= worthwhile || took < 0 ? 0 : std::clamp(2 * pause_, least, most);
        return pause_;
    }

    // Both, with the pause. is_over: whether there is no more to look for.
    template <class IsOver>
    void end_work_and_pause(IsOver&& is_over) noexcept {
        constexpr unsigned relaxes_per_look = 8;
        const std::int64_t now = cycle_count();
        const std::int64_t end = now + end_work(now);
        while (cycle_count() < end && !is_over()) {
            for (unsigned i = 0; i < relaxes_per_look; ++i)
                cpu_relax();
        }
    }

private:
    std::int64_t begun_ = 0;  // 0: it has taken nothing since the last call of end_work()
    std::int64_t pause_ = 0;
};

}  // namespace teff
