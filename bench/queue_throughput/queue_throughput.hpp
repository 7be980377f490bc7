// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Items per second through queues (X-OpenMP, section 2.2): queues with one producer and one consumer each, without
// locks or atomic read-modify-writes, compared with one queue that all threads share.
//
//   spsc   half of the threads are producers, half consumers; each pair has its own bounded queue: Teff's B-queue
//   mpmc   half of the threads are producers, half consumers of one bounded queue: pthread has a ring under a mutex,
//          oneTBB its concurrent_bounded_queue
//
// A single thread alternates between inserting and removing. With an odd number of threads, the one left over is an
// additional consumer in mpmc and idle in spsc. A size is the number of items; the remainder that cannot be divided
// equally is omitted. Items are numbers; their count and sum are checked. All queues have the same capacity.
#pragma once

#include <bench/harness/kernel.hpp>
#include <bench/harness/own_threads.hpp>
#include <bench/harness/padded.hpp>

#include <algorithm>

namespace bench::queue_throughput {

inline constexpr std::size_t capacity = 1024;

struct taken_items {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;

    taken_items& operator+=(const taken_items& other) {
        count += other.count;
        sum += other.sum;
        return *this;
    }
};

// How many items each thread handles. Queue i has its own producers and consumers; there is one queue per producer,
// or one in all.
struct roles {
    unsigned producers;
    unsigned consumers;
    std::uint64_t items_per_producer;
    std::uint64_t items_per_consumer;

    // p asks for more than one thread. In pairs there are as many consumers as producers.
    roles(const parameters& p, bool in_pairs);
};

std::uint64_t items(const parameters& p);
outcome checked(double seconds, std::uint64_t count, const taken_items& taken);

template <class TryPush> void produce(std::uint64_t first, std::uint64_t count, const TryPush& try_push) {
    waiting pause;
    for (std::uint64_t item = first; item < first + count; ++item)
        while (!try_push(item)) pause.wait();
}

template <class TryPop> taken_items consume(std::uint64_t count, const TryPop& try_pop) {
    waiting pause;
    taken_items taken;
    while (taken.count < count) {
        std::uint64_t item = 0;
        if (try_pop(item))
            taken += {1, item};
        else
            pause.wait();
    }
    return taken;
}

// One thread and one queue: inserts at most half of the capacity, removes it, and repeats.
template <class Queue> outcome measure_alone(const parameters& p, Queue& queue) {
    const std::uint64_t count = items(p);
    taken_items taken;
    const double seconds = time_seconds([&] {
        while (taken.count < count) {
            const std::uint64_t some = std::min<std::uint64_t>(capacity / 2, count - taken.count);
            produce(taken.count, some, [&queue](std::uint64_t item) { return queue.try_push(item); });
            taken += consume(some, [&queue](std::uint64_t& item) { return queue.try_pop(item); });
        }
    });
    return checked(seconds, count, taken);
}

// Producer i and consumer i use queues[i % queues.size()]. A queue has try_push(item) and try_pop(item&).
template <class Queues> outcome measure_shared(const parameters& p, bool in_pairs, Queues& queues) {
    const roles who(p, in_pairs);
    padded_partials<taken_items> taken(who.consumers);
    const double seconds = run_on_threads(who.producers + who.consumers, [&](unsigned index) {
        if (index < who.producers) {
            auto& queue = queues[index % queues.size()];
            produce(index * who.items_per_producer, who.items_per_producer,
                    [&queue](std::uint64_t item) { return queue.try_push(item); });
        } else {
            const unsigned consumer = index - who.producers;
            auto& queue = queues[consumer % queues.size()];
            taken[consumer] = consume(who.items_per_consumer,
                                      [&queue](std::uint64_t& item) { return queue.try_pop(item); });
        }
    });
    return checked(seconds, who.producers * who.items_per_producer, taken.total());
}

}  // namespace bench::queue_throughput
