// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// floorplan as a reduction over tasks of this library.
#include <bench/floorplan/floorplan.hpp>

#include <bench/harness/teff.hpp>

namespace bench {

outcome run_floorplan(const parameters& p);

outcome run_floorplan(const parameters& p) {
    const floorplan::problem input = floorplan::problem_of(p);
    return floorplan::with_bound(p, input, [&]<class Bound>(Bound& bound) {
        floorplan::result found;
        const double seconds = time_seconds([&] {
            found = teff::reduce_tasks(options_of(p), floorplan::body<Bound>{input, bound}, floorplan::first_task());
        });
        return floorplan::checked(p, input, seconds, found);
    });
}

}  // namespace bench
