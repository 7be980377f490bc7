// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// integrate without threads: the plain recursion.
#include <bench/harness/serial.hpp>
#include <bench/integrate/integrate.hpp>

namespace bench {
namespace {

TEFF_BENCH_RECURSIVE integrate::result recursive(const integrate::segment& whole) {
    const integrate::halves cut(whole);
    if (cut.good_enough(whole)) return cut.as_result();
    const integrate::result left = recursive(cut.left);
    return left + recursive(cut.right);
}

}  // namespace

outcome run_integrate(const parameters& p) {
    return integrate::measured<serial_forks>(p, [](const integrate::segment& whole) { return recursive(whole); });
}

}  // namespace bench
