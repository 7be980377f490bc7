// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the size of the queues does to a loaded master (X-OpenMP, section 5.1, Fig. 9): the master creates ten long
// tasks per thread, and every worker, the master too, many of 100 ns. The time by the capacity of the queues.
//
// A size is that capacity, the short tasks of each worker, and the length of a long one in microseconds, such as
// 64x100000x2000. For Teff it is the option xqueue_capacity (of each of a worker's queues), ompi_queue_size
// or, with all others, max_queued. The other runtimes have no such option: `quick` and `paper` are one size for them,
// with 0 for the queues that they come with, and they are level lines beside Teff's.
#pragma once

#include <bench/harness/kernel.hpp>

namespace bench {

extern const kernel_description queue_size_description;

outcome run_queue_size(const parameters& p);

}  // namespace bench
