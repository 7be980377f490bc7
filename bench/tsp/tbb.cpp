// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tsp with oneTBB's task_group, without waiting inside tasks, with partial results per thread.
#include <bench/tsp/tsp.hpp>

#include <bench/harness/tbb.hpp>

namespace bench {

outcome run_tsp(const parameters& p) { return tsp::run_on_tasks<tsp::result>(p); }

}  // namespace bench
