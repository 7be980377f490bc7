// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tsp with OpenMP tasks, without waiting, with partial results per thread.
#include <bench/tsp/tsp.hpp>

#include <bench/harness/openmp.hpp>

namespace bench {

outcome run_tsp(const parameters& p) { return tsp::run_on_tasks<tsp::result>(p); }

}  // namespace bench
