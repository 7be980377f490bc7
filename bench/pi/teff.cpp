// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pi as a reduction over tasks of this library.
#include <bench/harness/teff.hpp>
#include <bench/pi/pi.hpp>

namespace bench {

outcome run_pi(const parameters& p) {
    const double tolerance = pi::tolerance(p);
    pi::result found;
    const double seconds =
        time_seconds([&] { found = teff::reduce_tasks(options_of(p), pi::body{tolerance}, pi::whole()); });
    return pi::checked(p, seconds, found);
}

}  // namespace bench
