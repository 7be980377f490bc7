// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Learns whether the work that a team's caller submits, outside of any task, is too short to be shared.
//
// A burst is the work that the caller submits until it has waited for all of it. To give away a task of a fifth of a
// microsecond costs more than to run it. So a team whose last bursts were short becomes quiet: idle workers stay away,
// and its scheduler behaves as if there were none. One of the pool's workers polls the quiet teams (pool.cpp). It ends
// the quiet state of a team if a burst lasts too long, or if no burst has begun for a while. So a task behind a long
// one waits until the next poll, not for ever.
//
// The length of a burst is an estimate of the time that the caller would take alone. If another thread has helped, the
// measured time counts twice, and once more for each part that the caller has given to a waiting thread. Without this
// correction help would make bursts look short, and the team would become quiet and get no more help.
//
//                     begin, end    is_quiet, is_lasting, is_forgotten, end_quiet
//   begin, end             -                      yes                              the caller
//   the others                                    yes                              any thread
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/shared_data.hpp>

#include <cstdint>

namespace teff {

// All times are those of cycle_count().
class short_bursts {
public:
    // A burst up to this long counts as short; about four to eight microseconds.
    static constexpr std::int64_t short_cycles = 3 << 12;
    // A burst that lasts longer than this needs help.
    static constexpr std::int64_t lasting_cycles = 1 << 15;
    // After this time without a burst no worker needs to poll the team; about ten milliseconds.
    static constexpr std::int64_t forgotten_cycles = 1 << 25;

    bool is_in_burst() const noexcept { return begun_ != 0; }
    // may_be_quiet: whether the team has no work beside the burst; such work might wait in a quiet team for as long as
    // the bursts continue. Returns whether the team has just become quiet: the caller must then ensure that a worker
    // polls.
    bool begin(std::int64_t now, bool may_be_quiet) noexcept {
        begun_ = now;
        if (!may_be_quiet) {
            end_quiet();
            return false;
        }
        // relaxed: as in is_quiet().
        std::int64_t seen = quiet_since_.load(std::memory_order_relaxed);
        if (seen != 0) {
            // Not a store, which could make the team quiet again after another thread has ended the quiet state: then
            // no worker might poll the team any more.
            // relaxed, both: as in is_quiet().
            quiet_since_.compare_exchange_strong(seen, now, std::memory_order_relaxed, std::memory_order_relaxed);
            return false;
        }
        if (score_ < score_to_be_quiet)
            return false;
        // relaxed: the caller calls event_count::notify_one(), which begins with a fence; partner: the fence in
        // event_count::prepare_sleep().
        quiet_since_.store(now, std::memory_order_relaxed);
        return true;
    }
    // helpers: a lower bound of the threads that have helped; 0: no other thread has run a part of it.
    void end(std::int64_t now, std::uint64_t helpers) noexcept {
        // The bound is divided, not the time multiplied: one burst may last for hours and have many loops with helpers,
        // so a product could overflow.
        constexpr std::uint64_t most = short_cycles;
        const bool was_short = now - begun_ <= short_cycles / static_cast<std::int64_t>(1 + smaller(helpers, most));
        begun_ = 0;
        // A burst may also be long because its thread lost the processor, so one long burst says little.
        score_ = was_short ? smaller(score_ + 1, most_score) : larger(score_ - penalty, 0);
        if (score_ < score_to_be_quiet)
            end_quiet();
    }

    // relaxed: it is enough to see the change soon; where it matters, fences of the event count order it.
    bool is_quiet() const noexcept { return quiet_since_.load(std::memory_order_relaxed) != 0; }
    // Whether more than lasting_cycles, or forgotten_cycles, have passed since a quiet team's last burst began.
    bool is_lasting(std::int64_t now) const noexcept { return is_older_than(lasting_cycles, now); }
    bool is_forgotten(std::int64_t now) const noexcept { return is_older_than(forgotten_cycles, now); }
    // relaxed: as in is_quiet().
    void end_quiet() noexcept {
        // No store if nothing changes: all members read it.
        if (is_quiet())
            quiet_since_.store(0, std::memory_order_relaxed);
    }

private:
    static constexpr int score_to_be_quiet = 16, most_score = 32, penalty = 8;

    bool is_older_than(std::int64_t cycles, std::int64_t now) const noexcept {
        // relaxed: as in is_quiet().
        const std::int64_t since = quiet_since_.load(std::memory_order_relaxed);
        // A difference below zero counts as late: the clock was set back, with the machine.
        return since != 0 && static_cast<std::uint64_t>(now - since) > static_cast<std::uint64_t>(cycles);
    }

    // the caller's
    std::int64_t begun_ = 0;  // 0: not in a burst
    int score_ = 0;
    // the caller and workers write: when the last burst of a quiet team began; 0: not quiet. It has a line of its own,
    // since all members read it, and the caller writes the fields above with each burst.
    alignas(false_sharing_range) atomic<std::int64_t> quiet_since_{0};
};

}  // namespace teff
