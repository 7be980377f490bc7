// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The activities of one thread over time, in bounded memory, as stretches: a stretch has one activity, and ends where
// the next one begins.
//
// When the memory is full, each stretch shorter than a limit is merged into the one before it, and from then on so is
// each new stretch that ends shorter than the limit. The limit doubles whenever the memory is full again. So a long run
// keeps its outline. Where short stretches are frequent, the stretches misstate the time of each activity; the sums by
// activity stay exact.
// Rejected: dropping the last stretches. The picture would end before the run, and threads idle mostly at the end of a
// run.
//
// One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace teff {

// teff/timeline.hpp explains the activities.
enum class activity : unsigned char { outside, work, search, pool, sleep, wait };
inline constexpr std::size_t activity_count = 6;

struct stretch {
    std::int64_t begin_ns;
    activity what;
};

template <std::size_t Capacity = 16384>
class stretches {
    static_assert(Capacity >= 4);

public:
    explicit stretches(std::int64_t now_ns) noexcept { restart(now_ns); }

    // Begins a stretch with the activity `what`; now_ns is at least that of the last call.
    void begin(std::int64_t now_ns, activity what) noexcept {
        if (what == last().what)
            return;
        const std::int64_t length = now_ns - last().begin_ns;
        sum_of(last().what) += length - counted_of_last_;
        counted_of_last_ = 0;
        if (count_ > 1 && length < merged_below_ns_) {
            --count_;
            ++merged_;
            // The stretch before the merged one is open again. Each of the two has been counted in the sum of its own
            // activity, so no time up to now is left to count.
            if (last().what == what) {
                counted_of_last_ = now_ns - last().begin_ns;
                return;
            }
        }
        if (count_ == Capacity)
            make_room();
        kept_[count_++] = {now_ns, what};
    }

    // Forgets all stretches; the present activity continues in a stretch that begins now.
    void restart(std::int64_t now_ns) noexcept {
        kept_[0] = {now_ns, count_ == 0 ? activity::outside : last().what};
        count_ = 1;
        sums_ = {};
        counted_of_last_ = merged_below_ns_ = 0;
        merged_ = 0;
    }

    std::size_t size() const noexcept { return count_; }
    const stretch& operator[](std::size_t place) const noexcept { return kept_[place]; }
    activity now() const noexcept { return kept_[count_ - 1].what; }

    // The time spent in the activity `what` up to now, or to the beginning of the last stretch if that is later.
    std::int64_t sum(activity what, std::int64_t now_ns) const noexcept {
        const stretch& open = kept_[count_ - 1];
        const bool goes_on = open.what == what && now_ns > open.begin_ns;
        return sums_[static_cast<std::size_t>(what)] + (goes_on ? now_ns - open.begin_ns - counted_of_last_ : 0);
    }
    // How many stretches were merged, and the length below which a stretch is merged.
    std::uint64_t merged() const noexcept { return merged_; }
    std::int64_t merged_below_ns() const noexcept { return merged_below_ns_; }

private:
    stretch& last() noexcept { return kept_[count_ - 1]; }
    std::int64_t& sum_of(activity what) noexcept { return sums_[static_cast<std::size_t>(what)]; }

    // All kept stretches have ended. Removes at least half of them.
    void make_room() noexcept {
        do {
            merged_below_ns_ = merged_below_ns_ == 0 ? least_limit_ns : 2 * merged_below_ns_;
            merge();
        } while (count_ > Capacity / 2);
    }
    // Joins two stretches of one activity that become neighbours. The last stretch is kept whatever its length, so that
    // the stretch that begins next has another activity than the one before it.
    void merge() noexcept {
        std::size_t kept = 1;
        for (std::size_t place = 1; place < count_; ++place) {
            const bool is_last = place + 1 == count_;
            if (!is_last && kept_[place + 1].begin_ns - kept_[place].begin_ns < merged_below_ns_)
                ++merged_;
            else if (kept_[place].what != kept_[kept - 1].what)
                kept_[kept++] = kept_[place];
        }
        count_ = kept;
    }

    static constexpr std::int64_t least_limit_ns = 1000;

    std::size_t count_ = 0;
    std::array<std::int64_t, activity_count> sums_{};  // without the open stretch
    std::int64_t counted_of_last_ = 0;                 // how much of the open stretch is in the sums already
    std::int64_t merged_below_ns_ = 0;
    std::uint64_t merged_ = 0;
    std::array<stretch, Capacity> kept_;  // uninitialised, so that memory is used as it fills
};

}  // namespace teff
