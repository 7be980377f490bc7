// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// integrate by fork and join of this library. The two halves are in the frame of the task that made them and waits.
#include <bench/harness/teff.hpp>
#include <bench/integrate/integrate.hpp>

namespace bench {
namespace {

integrate::result task(const integrate::segment& whole) {
    const integrate::halves cut(whole);
    if (cut.good_enough(whole)) return cut.as_result();
    const auto [left, right] = teff::fork_join([&cut] { return task(cut.left); }, [&cut] { return task(cut.right); });
    return left + right;
}

}  // namespace

outcome run_integrate(const parameters& p) {
    return integrate::measured<teff_forks>(p, [](const integrate::segment& whole) { return task(whole); });
}

}  // namespace bench
