// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sort without threads: the plain recursion.
#include <bench/harness/serial.hpp>
#include <bench/sort/sort.hpp>

namespace bench {

outcome run_sort(const parameters& p) { return sort::measured<serial_forks>(p); }

}  // namespace bench
