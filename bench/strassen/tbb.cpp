// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strassen with oneTBB's parallel_invoke and task_group, which wait for their calls.
#include <bench/harness/tbb.hpp>
#include <bench/strassen/strassen.hpp>

namespace bench {

outcome run_strassen(const parameters& p) { return strassen::measured<tbb_forks>(p); }

}  // namespace bench
