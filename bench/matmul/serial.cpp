// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul without threads: the plain recursion.
#include <bench/harness/serial.hpp>
#include <bench/matmul/matmul.hpp>

namespace bench {

outcome run_matmul(const parameters& p) {
    matrix_product product = matmul::generated(p);
    const double seconds = time_seconds([&] { matmul::multiply_all<serial_forks>(product); });
    return matmul::checked(product, seconds);
}

}  // namespace bench
