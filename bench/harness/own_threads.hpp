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
// The unit in which kernels show single steps, as papers do where there is such a counter; and the same in full.
inline constexpr const char* step_unit = has_time_stamp_counter ? "cycles" : "ns";
inline constexpr const char* step_unit_title =
    has_time_stamp_counter ? "cycles of the time stamp counter" : "nanoseconds";
// How far the time stamp counter advances in a nanosecond; 0 where there is none.
double cycles_per_nanosecond();

}  // namespace bench
