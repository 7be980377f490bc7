// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sparselu with OpenMP tasks; each task waits for its children.
#include <bench/harness/openmp.hpp>
#include <bench/sparselu/sparselu.hpp>

namespace bench {

outcome run_sparselu(const parameters& p) {
    sparselu::workload all = sparselu::generated(p);
    const double seconds =
        time_seconds([&] { run_in_region(p.threads, [&] { sparselu::factor_all<openmp_forks>(all.matrix); }); });
    return sparselu::checked(all, seconds);
}

}  // namespace bench
