// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strassen by fork and join of this library.
#include <bench/harness/teff.hpp>
#include <bench/strassen/strassen.hpp>

namespace bench {

outcome run_strassen(const parameters& p) {
    matrix_product product = strassen::generated(p);
    const std::size_t base = strassen::base_of(p);
    const double seconds =
        time_seconds([&] { teff::execute(options_of(p), [&] { strassen::multiply_all<teff_forks>(product, base); }); });
    return strassen::checked(product, seconds, base);
}

}  // namespace bench
