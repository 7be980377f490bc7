// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// queue_throughput with B-queues, the building blocks of XQueue: one per pair of threads.
#include <bench/queue_throughput/queue_throughput.hpp>

#include <bench/harness/pair_queue.hpp>

#include <algorithm>
#include <deque>

namespace bench {
namespace {

constexpr std::size_t batch = 64;

}  // namespace

outcome run_queue_throughput(const parameters& p) {
    std::deque<pair_queue> queues;
    while (queues.size() < std::max(1U, p.threads / 2)) queues.emplace_back(queue_throughput::capacity, batch);
    if (p.threads == 1) return queue_throughput::measure_alone(p, queues[0]);
    return queue_throughput::measure_shared(p, true, queues);
}

}  // namespace bench
