// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which worker runs a task: a number that each thread takes the first time it asks. All runtimes are asked alike, with
// one load of a thread's own variable; some have a number of their own, but not all, and asking costs unlike time.
#pragma once

#include <atomic>

namespace bench {

inline std::atomic<unsigned> worker_numbers_given{0};
inline constinit thread_local unsigned own_worker_number = 0;   // plus one; 0 is none yet

inline unsigned worker_number() {
    // relaxed: the numbers only have to differ.
    if (own_worker_number == 0)
        own_worker_number = worker_numbers_given.fetch_add(1, std::memory_order_relaxed) + 1;
    return own_worker_number - 1;
}

}  // namespace bench
