// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sort with OpenMP tasks; each task waits for its children.
#include <bench/harness/openmp.hpp>
#include <bench/sort/sort.hpp>

namespace bench {

outcome run_sort(const parameters& p) {
    sort::input input = sort::generated(p);
    const double seconds = time_seconds([&] { run_in_region(p.threads, [&] { input.sort_all<openmp_forks>(); }); });
    return sort::checked(input, seconds);
}

}  // namespace bench
