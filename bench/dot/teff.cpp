// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dot as a reduction over tasks of this library.
#include <bench/dot/dot.hpp>
#include <bench/harness/teff.hpp>

namespace bench {

outcome run_dot(const parameters& p) {
    const dot::vectors input(p);
    dot::products found;
    const double seconds = time_seconds(
        [&] { found = teff::reduce_tasks(options_of(p), dot::body{input.view()}, input.whole()); });
    return input.checked(seconds, found);
}

}  // namespace bench
