// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strassen without threads: the plain recursion.
#include <bench/harness/serial.hpp>
#include <bench/strassen/strassen.hpp>

namespace bench {

outcome run_strassen(const parameters& p) { return strassen::measured<serial_forks>(p); }

}  // namespace bench
