// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// uts as a reduction over tasks of this library.
#include <bench/harness/teff.hpp>
#include <bench/uts/uts.hpp>

namespace bench {

outcome run_uts(const parameters& p) {
    const uts::workload asked = uts::chosen(p);
    uts::counts found;
    const double seconds = time_seconds(
        [&] { found = teff::reduce_tasks(options_of(p), uts::body{asked.tree}, asked.tree.root()); });
    return uts::checked(asked, seconds, found);
}

}  // namespace bench
