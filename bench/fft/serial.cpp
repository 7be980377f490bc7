// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fft without threads: the plain recursion.
#include <bench/harness/serial.hpp>
#include <bench/fft/fft.hpp>

namespace bench {

outcome run_fft(const parameters& p) { return fft::measured<serial_forks>(p); }

}  // namespace bench
