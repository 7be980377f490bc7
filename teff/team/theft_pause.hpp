// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a member that searches rests between two looks.
//
// With a scheduler that shares on request, giving a task away costs the owner about as much as running a task of a few
// hundred cycles. A thief that gets such tasks and comes back at once makes the owner slower than it would be alone. So
// the thief rests, twice as long after each such theft, until a theft brings more work. It also rests after many looks
// in vain: an owner with one short task at a time would answer each request for nothing. The more members rest, the
// longer each of them may, so that together they look once per `most` cycles.
//
// A member that rests counts as a searcher, so no thread is woken in its place. It looks again soon, or at once if its
// wait is over or if it is called (idle_tracker::call_resting()). Owners keep what they push to themselves while all
// searchers rest (idle_tracker::all_rest()).
//
// Only one thread uses an object.
#pragma once

#include <cstdint>
#include <utility>

namespace teff {

class theft_pause {
public:
    // All in cycles of cycle_count(). A theft was worth its cost if the stolen work took at least this long, cache
    // misses included. The last item of an owner must be larger, since the owner would have run it next.
    static constexpr std::int64_t worthwhile = 1 << 10, worthwhile_last = 1 << 12;
    static constexpr std::int64_t least = 1 << 10, most = 1 << 14;
    // The number of looks in vain before the pauses grow: at first and after a short theft; after a worthwhile theft.
    static constexpr unsigned patience = 16, patience_after_work = 64;

    // A theft has succeeded, and the member runs the stolen work. took_last: whether it left the owner nothing.
    void begin_work(std::int64_t now, bool took_last) noexcept {
        begun_ = now;
        least_work_ = took_last ? worthwhile_last : worthwhile;
    }
    // The member got its work from a mailbox, not by a theft.
    void forget_work() noexcept { begun_ = 0; }
    // The member has run the stolen work. resting: how many others rest. Returns for how long it should rest.
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
    // Notes that the member rests in its search; and returns whether it has rested since the last call.
    void note_rest() noexcept { has_rested_ = true; }
    bool has_rested() noexcept { return std::exchange(has_rested_, false); }

    // Whether the member need not rest, since its last theft was worthwhile or it has stolen nothing.
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

    std::int64_t begun_ = 0;  // 0: nothing was stolen since the last end_work()
    std::int64_t least_work_ = worthwhile;
    std::int64_t pause_ = 0;
    unsigned looks_left_ = patience;
    bool has_rested_ = false;
};

}  // namespace teff
