// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// queue_throughput with oneTBB's bounded queue.
#include <bench/queue_throughput/queue_throughput.hpp>

#include <array>

#include <tbb/concurrent_queue.h>

namespace bench {

outcome run_queue_throughput(const parameters& p) {
    std::array<tbb::concurrent_bounded_queue<std::uint64_t>, 1> queues;
    queues[0].set_capacity(static_cast<std::ptrdiff_t>(queue_throughput::capacity));
    if (p.threads == 1) return queue_throughput::measure_alone(p, queues[0]);
    return queue_throughput::measure_shared(p, false, queues);
}

}  // namespace bench
