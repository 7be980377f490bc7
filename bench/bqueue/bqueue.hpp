// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What it costs to hand an item over from one thread to another through a B-queue (X-OpenMP, section 3, which names 20
// cycles per operation), by the queue's capacity and batch.
//
//   ping_pong   an item goes to the other thread through one queue and comes back through a second one. No two items
//               are under way, so this is the latency of one hand-over.
//   stream      the producer pushes without waiting for the consumer, while there is room. This is the cost of an item
//               when batches can do their work: the reciprocal of the throughput.
//
// Half of the threads are producers, half consumers, in pairs with queues of their own. Two threads are one pair; more
// show whether pairs disturb each other. All items of a pair pass from its one thread to its other: a size is
// CAPACITYxBATCHxITEMS, the items being those of each pair. Each item is a number that depends on its position in the
// sequence. The receiver compares each with the expected one, so a lost, repeated, overtaken or
// damaged item is counted as wrong. Cycles are those of the time stamp counter.
#pragma once

#include <bench/harness/kernel.hpp>
#include <bench/harness/own_threads.hpp>
#include <bench/harness/padded.hpp>

#include <cstddef>
#include <cstdint>
#include <thread>

namespace bench::bqueue {

struct sizes {
    std::size_t capacity;                // of a queue, a power of two
    std::size_t batch;                   // a power of two, at most half of the capacity
    std::uint64_t items;                 // of each pair

    // Throws usage_error for a size that no B-queue has.
    explicit sizes(const parameters& p);
};

// The number with position `index` in a sequence: a multiplication by an odd number, which is one to one and cheap
// beside the queue's own work. No item is 0, which fresh memory holds.
inline std::uint64_t item_at(std::uint64_t index) { return (index + 1) * 0x9e3779b97f4a7c15U; }

// How an end waits for the other one: it polls as fast as it can, since a pause would be a part of the latency. Now and
// then it yields, because the other end may need this very CPU.
template <class Try> void poll_until(const Try& succeeds) {
    constexpr unsigned polls_per_yield = 512;
    for (unsigned polls = 1; !succeeds(); ++polls)
        if (polls % polls_per_yield == 0) std::this_thread::yield();
}

template <class Queue> void send(Queue& to, std::uint64_t item) {
    poll_until([&] { return to.try_push(item); });
}
template <class Queue> std::uint64_t receive(Queue& from) {
    std::uint64_t item = 0;
    poll_until([&] { return from.try_pop(item); });
    return item;
}

// Each of these four is one end's part and returns how many items arrived there as expected. In ping-pong, one end
// sends items 0, 2, 4 and so on, and the other sends 1, 3, 5 back.
template <class Queue> std::uint64_t ping(std::uint64_t round_trips, Queue& there, Queue& back) {
    std::uint64_t right = 0;
    for (std::uint64_t trip = 0; trip < round_trips; ++trip) {
        send(there, item_at(2 * trip));
        right += receive(back) == item_at(2 * trip + 1);
    }
    return right;
}
template <class Queue> std::uint64_t pong(std::uint64_t round_trips, Queue& there, Queue& back) {
    std::uint64_t right = 0;
    for (std::uint64_t trip = 0; trip < round_trips; ++trip) {
        right += receive(there) == item_at(2 * trip);
        send(back, item_at(2 * trip + 1));
    }
    return right;
}

// Returns 0: a producer receives nothing.
template <class Queue> std::uint64_t produce(std::uint64_t items, Queue& to) {
    for (std::uint64_t index = 0; index < items; ++index) send(to, item_at(index));
    return 0;
}
template <class Queue> std::uint64_t consume(std::uint64_t items, Queue& from) {
    std::uint64_t right = 0;
    for (std::uint64_t index = 0; index < items; ++index) right += receive(from) == item_at(index);
    return right;
}

// right: the items of all pairs that arrived as expected.
outcome checked(const parameters& p, double seconds, std::uint64_t right);

// `queues` has two queues for each pair, with try_push(item) and try_pop(item&). p asks for two threads or more.
template <class Queues> outcome measure(const parameters& p, Queues& queues) {
    const sizes wanted(p);
    const unsigned pairs = p.threads / 2;
    padded_partials<std::uint64_t> right(2 * pairs);
    const double seconds = run_on_threads(2 * pairs, [&](unsigned index) {
        const unsigned pair = index % pairs;
        auto& there = queues[2 * pair];
        auto& back = queues[2 * pair + 1];
        if (p.variant == "stream")
            right[index] = index < pairs ? produce(wanted.items, there) : consume(wanted.items, there);
        else
            right[index] = index < pairs ? ping(wanted.items / 2, there, back) : pong(wanted.items / 2, there, back);
    });
    return checked(p, seconds, right.total());
}

}  // namespace bench::bqueue
