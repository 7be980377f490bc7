// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul by fork and join of this library.
#include <bench/harness/teff.hpp>
#include <bench/matmul/matmul.hpp>

namespace bench {

outcome run_matmul(const parameters& p) {
    matrix_product product = matmul::generated(p);
    const double seconds =
        time_seconds([&] { teff::execute(options_of(p), [&] { matmul::multiply_all<teff_forks>(product); }); });
    return matmul::checked(product, seconds);
}

}  // namespace bench
