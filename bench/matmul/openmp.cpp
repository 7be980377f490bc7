// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul with OpenMP tasks; each task waits for its children.
#include <bench/harness/openmp.hpp>
#include <bench/matmul/matmul.hpp>

namespace bench {

outcome run_matmul(const parameters& p) {
    matrix_product product = matmul::generated(p);
    const double seconds =
        time_seconds([&] { run_in_region(p.threads, [&] { matmul::multiply_all<openmp_forks>(product); }); });
    return matmul::checked(product, seconds);
}

}  // namespace bench
