// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a member that searches rests between two looks.
//
// With a scheduler that shares on request, to give a task away costs the owner about as much as to run a task of a few
// hundred cycles itself. A thief that gets such tasks and comes back at once makes the owner slower than it would be
// alone. So it rests, twice as long after each such theft, until a theft brings more work. The same holds for a thief
// that has asked in vain again and again: an owner with one short task at a time answers each request for nothing. The
// more members rest, the longer each may, so that together they look once per `most` cycles.
//
// A member that rests counts as a searcher, so nobody is woken in its place; it looks again soon, or at once if what it
// waits for has happened, or if it is called (idle_tracker::call_resting()). Owners keep what they push to themselves
// while all searchers rest (idle_tracker::all_rest()).
//
// Only one thread uses an object.
#pragma once

#include <cstdint>
#include <utility>

namespace teff {

class theft_pause {
public:
    // All in cycles of cycle_count(). Work that took less was not worth the theft. It includes what it takes to get the
    // work's data. The last item of an owner is what the owner would have run next, so that more has to come of it.
    static constexpr std::int64_t worthwhile = 1 << 10, worthwhile_last = 1 << 12;
    static constexpr std::int64_t least = 1 << 10, most = 1 << 14;
    // Looks in vain before the pauses grow: at first and after a short theft, and after one that was worth it.
    static constexpr unsigned patience = 16, patience_after_work = 64;

    // A theft has succeeded; the member runs what it got. took_last: whether it left the owner nothing.
    void begin_work(std::int64_t now, bool took_last) noexcept {
        begun_ = now;
        least_work_ = took_last ? worthwhile_last : worthwhile;
    }
    // The member got its work from a mailbox, not by a theft.
    void forget_work() noexcept { begun_ = 0; }
    // The member has run it. resting: how many others rest. Returns for how long it should rest.
    std::int64_t end_work(std::int64_t now, unsigned resting) noexcept {
        if (begun_ == 0)
            return 0;
        const std::int64_t took = now - begun_;
        begun_ = 0;
        // A clock that was set back, with the machine, counts as much work.
        if (took >= least_work_ || took < 0) {
            note_worth();
        } else {
            pause_ = longer(resting);
            looks_left_ = patience;
        }
        return pause_;
    }

    // A look has found nothing. Returns for how long to rest before the next one.
    std::int64_t look_in_vain(unsigned resting) noexcept {
        if (looks_left_ != 0)
            --looks_left_;
        else
            pause_ = longer(resting);
        return pause_;
    }

    // Whether a rest of so many cycles goes on. A clock that was set back, with the machine, ends it.
    static bool lasts(std::int64_t cycles, std::int64_t begin, std::int64_t now) noexcept {
        return now - begin < cycles && now >= begin;
    }
    // The member rests in its search; and whether it did in the last one.
    void note_rest() noexcept { has_rested_ = true; }
    bool has_rested() noexcept { return std::exchange(has_rested_, false); }

    // Whether the member has run what it got and need not rest.
    bool is_over(std::int64_t now) noexcept {
        if (begun_ == 0)
            return true;
        if (now - begun_ < least_work_ && now >= begun_)
            return false;
        begun_ = 0;
        note_worth();
        return true;
    }

private:
    void note_worth() noexcept {
        pause_ = 0;
        looks_left_ = patience_after_work;
    }
    std::int64_t longer(unsigned resting) const noexcept {
        const std::int64_t twice = 2 * pause_, longest = most * (1 + resting);
        return twice < least ? least : twice > longest ? longest : twice;
    }

    std::int64_t begun_ = 0;  // 0: it has taken nothing since the last call of end_work()
    std::int64_t least_work_ = worthwhile;
    std::int64_t pause_ = 0;
    unsigned looks_left_ = patience;
    bool has_rested_ = false;
};

}  // namespace teff
