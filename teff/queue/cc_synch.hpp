// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Combining lock: many threads call the same serial code, and one of them, the combiner, runs it for all that wait, in
// FIFO order (CC-Synch: P. Fatourou, N. Kallimanis, Revisiting the combining synchronization technique, PPoPP 2012).
//
//   next:     [combiner's] -> [request] -> [request] -> [spare of the last participant that joined]
//                                                             tail_
//
// A participant swaps its spare node in as the new tail. The old tail, which it gets in exchange, is its place in the
// queue: it writes its request there, links its spare behind that node, and waits on that node. The combiner runs its
// own request and those behind it, up to a bound. Then it hands the combiner role to the next node, which may be the
// tail, where no participant has arrived yet. The node that was a participant's place becomes its next spare. So nodes
// move between participants and objects of the same types; each object and each participant always has exactly one. At
// its end each of them frees the node that it holds then.
//
// Each participant counts the rounds in which it performed others' requests beside its own. A round without others is
// not counted: that would cost every apply() an instruction.
//
//                              apply   open, check_invariants, destruction    safe together?
//   apply                       yes                  -                        each participant with its own spare
//   open, check_invariants,                          -                        they exclude everything
//     destruction
// Everything that happens before an apply() happens before the serial code that runs for it. The serial code of one
// request happens before that of the next request, and before the return of its own apply(). A participant that waits
// depends on the combiner, so this is not lock-free: it is a lock with a queue, whose waiting threads need not run for
// their requests to be served. Waiters pause and then yield, so a team with more threads than processors makes
// progress.
//
// Differs from the paper: `wait` and `completed` are one word, so a waiter polls only one; the combiner runs its own
// request outside the loop and does not mark its own node, since no thread waits on it; memory orders are those of C++.
// Rejected: a waiter that withdraws its request, which would need an answer from the combiner; the code as a part of
// the request, which costs the combiner one indirect call per request (all participants call apply() with the same
// code).
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/shared_data.hpp>

#include <cstdint>
#include <type_traits>

namespace teff {

// Counts of one participant's work as the combiner.
struct combining_counts {
    std::uint64_t rounds = 0;     // in which it performed requests of others
    std::uint64_t performed = 0;  // requests of others, in these rounds
};

template <class Request, class Result>
class cc_synch {
    static_assert(std::is_trivially_copyable_v<Request> && std::is_trivially_copyable_v<Result>);

public:
    // A participant's place in the queue, or a spare. create<node>() makes one, destroy() frees it.
    class alignas(false_sharing_range) node {
        friend cc_synch;
        enum class phase : unsigned { waiting, served, combining };

        // the combiner writes; the participant whose place this is polls
        atomic<phase> phase_{phase::waiting};
        plain<Result> result_{};
        // the participant whose place this is writes, before it links the next node
        plain<Request> request_{};
        atomic<node*> next_{nullptr};
    };

    cc_synch() noexcept = default;
    cc_synch(const cc_synch&) = delete;
    cc_synch& operator=(const cc_synch&) = delete;
    // Frees the one node that the object has now; a participant may have brought it.
    ~cc_synch() {
        // relaxed: destruction excludes everything.
        destroy(tail_.load(std::memory_order_relaxed));
    }

    // Call once, before the first apply(). max_served: how many requests a combiner serves, including its own, before
    // it hands the role over; at least 1. Returns false if there is no memory.
    bool open(unsigned max_served) noexcept {
        TEFF_ASSERT(max_served >= 1, "a combiner has to serve its own request");
        node* const first = create<node>();
        if (first == nullptr)
            return false;
        most_served_ = max_served;
        // relaxed, both: published together with the object, by the thread that makes it known to other participants.
        first->phase_.store(node::phase::combining, std::memory_order_relaxed);
        tail_.store(first, std::memory_order_relaxed);
        return true;
    }

    // A participant: runs `serial(request)`, which is noexcept, in mutual exclusion, in this call or in another
    // participant's apply(), which must have been given the same code. Requests are served in the order in which they
    // were queued. `spare` is the participant's node, which is used nowhere else; the call replaces it by another node.
    // `counts` are the participant's own, too; nullptr: not counted.
    template <class Serial>
    Result apply(node*& spare, Request request, Serial&& serial, combining_counts* counts = nullptr) noexcept {
        static_assert(std::is_nothrow_invocable_r_v<Result, Serial&, Request>);
        node* const behind = spare;
        // relaxed, both: the exchange publishes them.
        behind->phase_.store(node::phase::waiting, std::memory_order_relaxed);
        behind->next_.store(nullptr, std::memory_order_relaxed);
        // release: publishes the reset of `behind` to the participant whose place it becomes. acquire: sees the reset
        // of the node that we get. Partner: the same exchange in the other participant.
        node* const place = tail_.exchange(behind, std::memory_order_acq_rel);
        spare = place;
        place->request_.write(request);
        // release: publishes the request and what we did before it; partner: the combiner's acquire in next_of().
        place->next_.store(behind, std::memory_order_release);
        if (wait_at(*place) == node::phase::served)
            return place->result_.read();
        const Result result = serial(request);
        node* at = behind;
        if (most_served_ > 1 && next_of(*at) != nullptr) [[unlikely]]
            at = serve_others(at, serial, counts);
        // release: publishes what the serial code did to the next combiner; partner: the acquire in wait_at(). This is
        // our last use of the node.
        at->phase_.store(phase::combining, std::memory_order_release);
        return result;
    }

    void check_invariants() const noexcept {
        // relaxed, all: no other operation runs.
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
            // acquire: sees all effects of the serial code so far and our result, and that no thread uses the node any
            // more; partner: the releases in serve_others() and apply().
            const phase seen = place.phase_.load(std::memory_order_acquire);
            if (seen != phase::waiting)
                return seen;
        }
    }

    // The node behind this one; nullptr if no participant has written a request here yet.
    static node* next_of(const node& at) noexcept {
        // acquire: sees the request in `at` and what its participant did before it; partner: the release in apply().
        return at.next_.load(std::memory_order_acquire);
    }

    // The combiner, after its own request: performs those from `at` on. Requires that there is such a request and that
    // the bound allows it. Returns the node that gets the combiner role.
    template <class Serial>
    [[gnu::noinline]] node* serve_others(node* at, Serial& serial, combining_counts* counts) noexcept {
        unsigned served = 1;
        for (node* next = next_of(*at); next != nullptr && served < most_served_; next = next_of(*at), ++served) {
            at->result_.write(serial(at->request_.read()));
            // release: publishes the result and our accesses to the node; partner: the acquire in wait_at(). This is
            // our last use of the node: its participant may reuse it at once, so `next` was read before.
            at->phase_.store(phase::served, std::memory_order_release);
            at = next;
        }
        if (counts != nullptr) {
            ++counts->rounds;
            counts->performed += served - 1;
        }
        return at;
    }

    // constant after open()
    unsigned most_served_ = 1;
    // every participant writes
    alignas(false_sharing_range) atomic<node*> tail_{nullptr};
};

}  // namespace teff
