// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sort without threads: the plain recursion.
#include <bench/harness/serial.hpp>
#include <bench/sort/sort.hpp>

namespace bench {

outcome run_sort(const parameters& p) {
    sort::input input = sort::generated(p);
    const double seconds = time_seconds([&] { input.sort_all<serial_forks>(); });
    return sort::checked(input, seconds);
}

}  // namespace bench
