// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fft without threads: the plain recursion.
#include <bench/harness/serial.hpp>
#include <bench/fft/fft.hpp>

namespace bench {

outcome run_fft(const parameters& p) {
    fft::workload all = fft::generated(p);
    const double seconds = time_seconds([&] { all.transform_all<serial_forks>(); });
    return fft::checked(all, seconds);
}

}  // namespace bench
