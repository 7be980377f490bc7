// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain code has no version of bqueue (bqueue.cpp lists no variant for it), because it has no B-queue.
#include <bench/bqueue/bqueue.hpp>

namespace bench {

outcome run_bqueue(const parameters&) { throw usage_error("bqueue: only Teff has this queue"); }

}  // namespace bench
