// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right to take from a slot's queues, which allow one consumer at a time.
//
// In an elastic team members join and leave, and the items of a single-consumer queue must not be lost when its
// consumer has left. So the role of consumer is a token. The slot's member holds it from enter() to leave(). While
// the slot is vacant, any other member may take the token for one visit, to fetch an item that arrived too late. With
// the option `rescue` the member lends the token out whenever it is not looking into its queues, so that visitors can
// also come while it is inside a long task.
//
//   enter, leave            the slot's member; alternately
//   lend, take_back         the same member, between enter and leave; try_take_back does not wait
//   try_visit, end_visit    any member of another slot, while the slot is vacant; end_visit after a try_visit that won
//   try_rescue              the same while the token is lent; then end_visit
//   is_attended, is_vacant  any thread; hints. Producers should push to attended slots
//   reset_after_fork        the only thread of a child process
// Each holder sees what the holders before it wrote.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>

namespace teff {

class consumer_token {
public:
    // Waits at most for the end of a visit, which is short: a visitor usually takes one item.
    void enter() noexcept {
        backoff wait;
        while (!change(vacant, attended))
            wait.pause();
    }
    // False: a rescuer has it now. True also if it was not lent.
    bool try_take_back() noexcept {
        // relaxed: the swap validates it; other states are the member's own.
        return (state_.load(std::memory_order_relaxed) & lent) == 0 || change(lent, attended);
    }
    void take_back() noexcept {
        backoff wait;
        while (!try_take_back())
            wait.pause();
    }
    // release: the next consumer sees what this one did; partner: the acquire in change().
    void leave() noexcept { state_.store(vacant, std::memory_order_release); }
    void lend() noexcept {
        // relaxed: the member's own state. A team that ends has no members; then nothing is lent.
        if (state_.load(std::memory_order_relaxed) == attended)
            // release: as in leave().
            state_.store(lent, std::memory_order_release);
    }

    bool try_visit() noexcept { return change(vacant, visited); }
    bool try_rescue() noexcept { return change(lent, visited | lent); }
    void end_visit() noexcept {
        // relaxed: during a visit only the visitor changes the state. release: as in leave().
        state_.store(state_.load(std::memory_order_relaxed) & ~visited, std::memory_order_release);
    }

    void reset_after_fork() noexcept {
        // relaxed, both: there is no other thread.
        state_.store(state_.load(std::memory_order_relaxed) & ~visited, std::memory_order_relaxed);
    }

    // relaxed: a hint.
    bool is_attended() const noexcept { return (state_.load(std::memory_order_relaxed) & (attended | lent)) != 0; }
    // relaxed: a hint.
    bool is_vacant() const noexcept { return state_.load(std::memory_order_relaxed) == vacant; }

private:
    bool change(unsigned from, unsigned to) noexcept {
        // acquire: sees what the last consumer did; partner: the releases in leave(), lend() and end_visit(). relaxed
        // on failure: nothing was taken.
        return state_.compare_exchange_strong(from, to, std::memory_order_acquire, std::memory_order_relaxed);
    }

    // `visited` alone: a visit while the slot is vacant; with `lent`: while its member is busy.
    static constexpr unsigned vacant = 0, attended = 1, visited = 2, lent = 4;
    atomic<unsigned> state_{vacant};
};

}  // namespace teff
