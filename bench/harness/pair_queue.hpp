// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A B-queue of numbers, the building block of XQueue, for the benchmarks queue_throughput and bqueue. The B-queue has
// no public header; this is the only internal part of the library that benchmarks use.
#pragma once

#include <teff/queue/bqueue.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace bench {

class pair_queue {
public:
    // capacity, batch: as in teff::bqueue::open(). Throws std::bad_alloc.
    pair_queue(std::size_t capacity, std::size_t batch) {
        if (!queue_.open(capacity, batch)) throw std::bad_alloc();
    }

    // One thread, the producer. Returns false if the queue is full.
    bool try_push(std::uint64_t item) { return queue_.try_push(item); }

    // One thread, the consumer. Returns false if the queue is empty.
    bool try_pop(std::uint64_t& item) {
        const std::uint64_t* const oldest = queue_.front();
        if (oldest == nullptr) return false;
        item = *oldest;
        queue_.pop_front();
        return true;
    }

private:
    teff::bqueue<std::uint64_t> queue_;
};

}  // namespace bench
