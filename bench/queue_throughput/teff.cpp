// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// queue_throughput with B-queues, the building blocks of XQueue: one per pair of threads. The B-queue has no public
// header; this is the only benchmark of an internal part of the library.
#include <bench/queue_throughput/queue_throughput.hpp>

#include <deque>
#include <new>

#include <teff/queue/bqueue.hpp>

namespace bench {
namespace {

class pair_queue {
public:
    pair_queue() {
        constexpr std::size_t batch = 64;
        if (!queue_.open(queue_throughput::capacity, batch)) throw std::bad_alloc();
    }

    bool try_push(std::uint64_t item) { return queue_.try_push(item); }

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

}  // namespace

outcome run_queue_throughput(const parameters& p) {
    std::deque<pair_queue> queues(std::max(1U, p.threads / 2));
    if (p.threads == 1) return queue_throughput::measure_alone(p, queues[0]);
    return queue_throughput::measure_shared(p, true, queues);
}

}  // namespace bench
