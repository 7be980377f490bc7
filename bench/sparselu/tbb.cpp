// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sparselu with oneTBB's parallel_invoke and task_group, which wait for their calls.
#include <bench/harness/tbb.hpp>
#include <bench/sparselu/sparselu.hpp>

namespace bench {

outcome run_sparselu(const parameters& p) { return sparselu::measured<tbb_forks>(p); }

}  // namespace bench
