// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The effect of the queues' capacity on a loaded master (X-OpenMP, section 5.1, Fig. 9). The master creates ten long
// tasks per thread, and every worker, including the master, creates many tasks of 100 ns. The measure is the time by
// capacity.
//
// A size is that capacity, the number of short tasks of each worker, and the length of a long task in microseconds,
// such as 64x100000x2000. For Teff the capacity sets the scheduler's own option, xqueue_capacity (of each of a
// worker's queues) or ompi_queue_size, or max_queued for all other schedulers. The other runtimes have no such
// option. For them `quick` and `paper` are one size with capacity 0, which means their default queues, and they are
// level lines beside Teff's.
#pragma once

#include <bench/harness/kernel.hpp>

namespace bench {

}  // namespace bench
