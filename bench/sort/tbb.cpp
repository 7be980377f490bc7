// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sort with oneTBB's parallel_invoke and task_group, which wait for their calls.
#include <bench/harness/tbb.hpp>
#include <bench/sort/sort.hpp>

namespace bench {

outcome run_sort(const parameters& p) { return sort::measured<tbb_forks>(p); }

}  // namespace bench
