// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sparselu with oneTBB's parallel_invoke and task_group, which wait for their calls.
#include <bench/harness/tbb.hpp>
#include <bench/sparselu/sparselu.hpp>

namespace bench {

outcome run_sparselu(const parameters& p) {
    sparselu::workload all = sparselu::generated(p);
    const double seconds =
        time_seconds([&] { run_in_arena(p.threads, [&] { sparselu::factor_all<tbb_forks>(all.matrix); }); });
    return sparselu::checked(all, seconds);
}

}  // namespace bench
