// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bqueue with Teff's B-queue.
#include <bench/bqueue/bqueue.hpp>

#include <bench/harness/pair_queue.hpp>

#include <deque>

namespace bench {

outcome run_bqueue(const parameters& p) {
    const bqueue::sizes wanted(p);
    std::deque<pair_queue> queues;
    while (queues.size() < std::size_t{2} * (p.threads / 2)) queues.emplace_back(wanted.capacity, wanted.batch);
    return bqueue::measure(p, queues);
}

}  // namespace bench
