// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// health with oneTBB's parallel_invoke and task_group, which wait for their calls.
#include <bench/harness/tbb.hpp>
#include <bench/health/health.hpp>

namespace bench {

outcome run_health(const parameters& p) { return health::measured<tbb_forks>(p); }

}  // namespace bench
