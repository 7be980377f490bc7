// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operating system threads for the micro-benchmarks of a runtime's building blocks: locks and queues.
#pragma once

#include <cstdint>
#include <functional>

namespace bench {

// Runs body(index) for each index below `threads`, each on a thread of its own. The threads start together, after the
// last one has been created. Returns the seconds from that start until the last thread has finished. Throws
// std::system_error if a thread cannot be created.
double run_on_threads(unsigned threads, const std::function<void(unsigned)>& body);

// Back-off for a thread that polls for another thread: a pause instruction, and now and then a yield, because the
// other thread may need this very CPU.
class waiting {
public:
    void wait();

private:
    unsigned times_ = 0;
};

#if defined(__x86_64__)
inline constexpr bool has_time_stamp_counter = true;
#else
inline constexpr bool has_time_stamp_counter = false;
#endif
// Of the time stamp counter; 0 where there is none.
double cycles_per_nanosecond();

}  // namespace bench
