// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of the system for the micro-benchmarks of what runtimes are made of: locks and queues.
#pragma once

#include <cstdint>
#include <functional>

namespace bench {

// Runs body(index) for each index below `threads`, each on a thread of its own, all let go at once when all are there.
// Answers the seconds from then until the last has ended. Throws std::system_error if a thread cannot be started.
double run_on_threads(unsigned threads, const std::function<void(unsigned)>& body);

// For whoever waits for another thread: a pause of the processor, and sometimes the rest of the time slice, because the
// other one may need this very CPU.
class waiting {
public:
    void wait();

private:
    unsigned times_ = 0;
};

// Cycles of the time stamp counter in a nanosecond; 0 where there is no such counter.
double cycles_per_nanosecond();

}  // namespace bench
