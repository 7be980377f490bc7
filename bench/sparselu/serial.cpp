// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sparselu without threads: the plain recursion.
#include <bench/harness/serial.hpp>
#include <bench/sparselu/sparselu.hpp>

namespace bench {

outcome run_sparselu(const parameters& p) { return sparselu::measured<serial_forks>(p); }

}  // namespace bench
