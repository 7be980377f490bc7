// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// There is no queue_throughput of OpenMP (queue_throughput.cpp names no variant): it has no queues.
#include <bench/queue_throughput/queue_throughput.hpp>

namespace bench {

outcome run_queue_throughput(const parameters&) { throw usage_error("queue_throughput: OpenMP has no queues"); }

}  // namespace bench
