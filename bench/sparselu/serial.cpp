// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sparselu without threads: the plain recursion.
#include <bench/harness/serial.hpp>
#include <bench/sparselu/sparselu.hpp>

namespace bench {

outcome run_sparselu(const parameters& p) {
    sparselu::workload all = sparselu::generated(p);
    const double seconds = time_seconds([&] { sparselu::factor_all<serial_forks>(all.matrix); });
    return sparselu::checked(all, seconds);
}

}  // namespace bench
