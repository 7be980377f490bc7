// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identifies the worker that runs a task, by a number that each thread takes on its first call. The cost is the same
// for all runtimes: one load of a thread-local variable. Not every runtime has a worker number of its own, and those
// that do differ in what reading it costs.
#pragma once

#include <atomic>

namespace bench {

inline std::atomic<unsigned> worker_numbers_given{0};
inline constinit thread_local unsigned own_worker_number = 0;   // the number plus one; 0: none yet

inline unsigned worker_number() {
    // relaxed: only distinct numbers are needed; no partner.
    if (own_worker_number == 0)
        own_worker_number = worker_numbers_given.fetch_add(1, std::memory_order_relaxed) + 1;
    return own_worker_number - 1;
}

}  // namespace bench
