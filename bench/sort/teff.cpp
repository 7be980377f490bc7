// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sort by fork and join of this library.
#include <bench/harness/teff.hpp>
#include <bench/sort/sort.hpp>

namespace bench {

outcome run_sort(const parameters& p) {
    sort::input input = sort::generated(p);
    const double seconds = time_seconds([&] { teff::execute(options_of(p), [&] { input.sort_all<teff_forks>(); }); });
    return sort::checked(input, seconds);
}

}  // namespace bench
