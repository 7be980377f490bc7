// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul with oneTBB's parallel_invoke and task_group, which wait for their calls.
#include <bench/harness/tbb.hpp>
#include <bench/matmul/matmul.hpp>

namespace bench {

outcome run_matmul(const parameters& p) { return matmul::measured<tbb_forks>(p); }

}  // namespace bench
