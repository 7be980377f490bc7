// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strassen with OpenMP tasks; each task waits for its children.
#include <bench/harness/openmp.hpp>
#include <bench/strassen/strassen.hpp>

namespace bench {

outcome run_strassen(const parameters& p) {
    matrix_product product = strassen::generated(p);
    const std::size_t base = strassen::base_of(p);
    const double seconds =
        time_seconds([&] { run_in_region(p.threads, [&] { strassen::multiply_all<openmp_forks>(product, base); }); });
    return strassen::checked(product, seconds, base);
}

}  // namespace bench
