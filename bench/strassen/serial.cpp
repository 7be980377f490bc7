// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strassen without threads: the plain recursion.
#include <bench/harness/serial.hpp>
#include <bench/strassen/strassen.hpp>

namespace bench {

outcome run_strassen(const parameters& p) {
    matrix_product product = strassen::generated(p);
    const std::size_t base = strassen::base_of(p);
    const double seconds = time_seconds([&] { strassen::multiply_all<serial_forks>(product, base); });
    return strassen::checked(product, seconds, base);
}

}  // namespace bench
