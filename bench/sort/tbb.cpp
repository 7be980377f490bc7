// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sort with oneTBB's parallel_invoke and task_group, which wait for their calls.
#include <bench/harness/tbb.hpp>
#include <bench/sort/sort.hpp>

namespace bench {

outcome run_sort(const parameters& p) {
    sort::input input = sort::generated(p);
    const double seconds = time_seconds([&] { run_in_arena(p.threads, [&] { input.sort_all<tbb_forks>(); }); });
    return sort::checked(input, seconds);
}

}  // namespace bench
