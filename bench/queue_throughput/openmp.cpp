// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP has no version of queue_throughput (queue_throughput.cpp lists no variant for it), because it offers no
// queues.
#include <bench/queue_throughput/queue_throughput.hpp>

namespace bench {

outcome run_queue_throughput(const parameters&) { throw usage_error("queue_throughput: OpenMP has no queues"); }

}  // namespace bench
