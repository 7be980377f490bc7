// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right to take from a slot's queues, which allow one consumer at a time.
//
// In an elastic team members join and leave, and the items of a single-consumer queue must not be lost when its
// consumer has left. So the role of consumer is a token. The slot's member holds it from enter() to leave(). While
// the slot is vacant, any other member may take the token for one visit, to fetch an item that arrived too late.
//
//   enter, leave            the slot's member; alternately
//   try_visit, end_visit    any member of another slot; end_visit after a successful try_visit
//   is_attended, is_vacant  any thread; hints. Producers should push to attended slots
// Each holder sees what the holders before it wrote.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>

namespace teff {

class consumer_token {
public:
    void enter() noexcept {
        backoff wait;
        // Waits at most for the end of a visit, which is short: a visitor usually takes one item.
        while (!take(attended))
            wait.pause();
    }
    // release: the next consumer sees what this one did; partner: the acquire in take().
    void leave() noexcept { state_.store(vacant, std::memory_order_release); }

    bool try_visit() noexcept { return take(visited); }
    // release: as in leave().
    void end_visit() noexcept { state_.store(vacant, std::memory_order_release); }

    // relaxed: a hint.
    bool is_attended() const noexcept { return state_.load(std::memory_order_relaxed) == attended; }
    // relaxed: a hint.
    bool is_vacant() const noexcept { return state_.load(std::memory_order_relaxed) == vacant; }

private:
    bool take(unsigned as) noexcept {
        unsigned expected = vacant;
        // acquire: sees what the last consumer did; partner: the releases in leave() and end_visit(). relaxed on
        // failure: nothing was taken.
        return state_.compare_exchange_strong(expected, as, std::memory_order_acquire, std::memory_order_relaxed);
    }

    static constexpr unsigned vacant = 0, attended = 1, visited = 2;
    atomic<unsigned> state_{vacant};
};

}  // namespace teff
