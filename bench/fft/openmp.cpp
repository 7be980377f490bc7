// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fft with OpenMP tasks; each task waits for its children.
#include <bench/harness/openmp.hpp>
#include <bench/fft/fft.hpp>

namespace bench {

outcome run_fft(const parameters& p) {
    fft::workload all = fft::generated(p);
    const double seconds = time_seconds([&] { run_in_region(p.threads, [&] { all.transform_all<openmp_forks>(); }); });
    return fft::checked(all, seconds);
}

}  // namespace bench
