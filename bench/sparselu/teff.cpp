// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sparselu by fork and join of this library.
#include <bench/harness/teff.hpp>
#include <bench/sparselu/sparselu.hpp>

namespace bench {

outcome run_sparselu(const parameters& p) {
    sparselu::workload all = sparselu::generated(p);
    const double seconds =
        time_seconds([&] { teff::execute(options_of(p), [&] { sparselu::factor_all<teff_forks>(all.matrix); }); });
    return sparselu::checked(all, seconds);
}

}  // namespace bench
