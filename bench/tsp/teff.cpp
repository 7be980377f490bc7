// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tsp as a reduction over tasks of this library.
#include <bench/tsp/tsp.hpp>

#include <bench/harness/teff.hpp>

namespace bench {

outcome run_tsp(const parameters& p) {
    const tsp::problem input = tsp::problem_of(p);
    const tsp::task first = tsp::first_task(input);
    tsp::result found;
    const double seconds =
        time_seconds([&] { found = teff::reduce_tasks(options_of(p), tsp::body{input}, first); });
    return tsp::checked(input, seconds, found);
}

}  // namespace bench
