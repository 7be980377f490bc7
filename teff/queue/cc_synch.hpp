// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Serial code that many threads call: one of them, the combiner, runs it for a while for all that wait, in FIFO order
// (CC-Synch: P. Fatourou, N. Kallimanis, Revisiting the combining synchronization technique, PPoPP 2012).
//
//   next:     [combiner's] -> [request] -> [request] -> [spare of the last to come]
//                                                             tail_
//
// A participant brings a spare node and swaps it in as the new tail. The node that it gets for it is its place in the
// queue: it writes its request there, links its spare behind, and waits on it. Who is told to combine runs its own
// request and those behind it, up to a bound, and then tells the next to combine, who may be still to come (the tail).
// The node that was a participant's place is its next spare. So nodes travel, also between objects of the same types;
// each object always has one, each participant another one, and both are freed by who has them in the end.
//
//                              apply   open, check_invariants, destruction    safe together?
//   apply                       yes                  -                        each participant with its own spare
//   open, check_invariants,                          -                        they exclude everything
//     destruction
// What happened before an apply() happens before the serial code that runs for it, the serial code of one request
// happens before that of the next, and before the return of its apply(). Between the two a participant depends on the
// combiner: this is a lock with a queue, in which the threads that wait do not have to run. Waiters pause and then
// yield, so that more threads than processors do not stall.
//
// Differs from the paper: `wait` and `completed` are one word, so a waiter looks at one; the combiner's own request
// stays out of the loop, and its node is not marked, since nobody waits for it; orders are those of C++.
// Rejected: a waiter that withdraws its request, which would need an answer from the combiner; code as a part of the
// request, which costs the combiner an indirect call for each (all participants call apply() with the same code).
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/cache_line.hpp>

#include <type_traits>

namespace teff {

template <class Request, class Result>
class cc_synch {
    static_assert(std::is_trivially_copyable_v<Request> && std::is_trivially_copyable_v<Result>);

public:
    // A place in the queue, or a spare. create<node>() makes one, destroy() frees it.
    class alignas(false_sharing_range) node {
        friend cc_synch;
        enum class phase : unsigned { waiting, served, combining };

        // the combiner writes; the participant whose place this is waits
        atomic<phase> phase_{phase::waiting};
        plain<Result> result_{};
        // the participant whose place this is writes, before it links the next one
        plain<Request> request_{};
        atomic<node*> next_{nullptr};
    };

    // most_served: how many requests a combiner serves, its own included, before it hands over; at least 1. The paper
    // takes a small multiple of the number of threads.
    explicit cc_synch(unsigned most_served) noexcept : most_served_(most_served) {
        TEFF_ASSERT(most_served >= 1, "a combiner has to serve its own request");
    }
    cc_synch(const cc_synch&) = delete;
    cc_synch& operator=(const cc_synch&) = delete;
    // Frees the one node that is here, whoever brought it.
    ~cc_synch() {
        // relaxed: destruction excludes everything.
        destroy(tail_.load(std::memory_order_relaxed));
    }

    // Once, before the first apply(). False if there is no memory.
    bool open() noexcept {
        node* const first = create<node>();
        if (first == nullptr)
            return false;
        // relaxed, both: whoever makes the object known to other participants orders this.
        first->phase_.store(node::phase::combining, std::memory_order_relaxed);
        tail_.store(first, std::memory_order_relaxed);
        return true;
    }

    // A participant: `serial(request)`, which is noexcept, runs alone, here or in another participant's apply() that
    // was given the same code. Requests are served in the order in which they were queued. `spare` is the participant's
    // node, at no other place at the same time; it is another one afterwards.
    template <class Serial>
    Result apply(node*& spare, Request request, Serial&& serial) noexcept {
        static_assert(std::is_nothrow_invocable_r_v<Result, Serial&, Request>);
        node* const behind = spare;
        // relaxed, both: the exchange publishes them.
        behind->phase_.store(node::phase::waiting, std::memory_order_relaxed);
        behind->next_.store(nullptr, std::memory_order_relaxed);
        // release: makes `behind` a fresh node for the participant whose place it will be. acquire: the same of the
        // node that we get. Each is the other's partner.
        node* const place = tail_.exchange(behind, std::memory_order_acq_rel);
        spare = place;
        place->request_.write(request);
        // release: makes the request, and what we did before it, visible to the combiner's acquire in serve_others().
        place->next_.store(behind, std::memory_order_release);
        if (wait_at(*place) == node::phase::served)
            return place->result_.read();
        const Result result = serial(request);
        serve_others(behind, serial);
        return result;
    }

    void check_invariants() const noexcept {
        // relaxed, all: called when nothing else runs.
        const node* const last = tail_.load(std::memory_order_relaxed);
        TEFF_CHECK(last == nullptr || last->next_.load(std::memory_order_relaxed) == nullptr, "cc_synch",
                   "there is a node behind the tail", "report this");
        // relaxed: as above.
        TEFF_CHECK(last == nullptr || last->phase_.load(std::memory_order_relaxed) == node::phase::combining,
                   "cc_synch", "nobody may combine", "report this");
    }

private:
    using phase = typename node::phase;

    static phase wait_at(const node& place) noexcept {
        for (backoff idle;; idle.pause()) {
            // acquire: makes visible what the serial code has done so far, our result, and that nobody uses the node
            // any more; partner: the releases in serve_others().
            const phase seen = place.phase_.load(std::memory_order_acquire);
            if (seen != phase::waiting)
                return seen;
        }
    }

    template <class Serial>
    void serve_others(node* at, Serial& serial) noexcept {
        for (unsigned served = 1; served < most_served_; ++served) {
            // acquire: the request in `at` is there, and what its participant did before it; partner: the release in
            // apply(). Read before `at` is served, since it may be in use elsewhere at once.
            node* const next = at->next_.load(std::memory_order_acquire);
            if (next == nullptr)
                break;
            at->result_.write(serial(at->request_.read()));
            // release: the result, and all that was done to the node, for the acquire in wait_at(). The last use of it.
            at->phase_.store(phase::served, std::memory_order_release);
            at = next;
        }
        // release: what the serial code did, for the next combiner's acquire in wait_at(). The last use of the node.
        at->phase_.store(phase::combining, std::memory_order_release);
    }

    // constant after construction
    const unsigned most_served_;
    // every participant writes
    alignas(false_sharing_range) atomic<node*> tail_{nullptr};
};

}  // namespace teff
