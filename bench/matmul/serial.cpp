// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul without threads: the plain recursion.
#include <bench/harness/serial.hpp>
#include <bench/matmul/matmul.hpp>

namespace bench {

outcome run_matmul(const parameters& p) { return matmul::measured<serial_forks>(p); }

}  // namespace bench
