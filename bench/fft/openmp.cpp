// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fft with OpenMP tasks; each task waits for its children.
#include <bench/harness/openmp.hpp>
#include <bench/fft/fft.hpp>

namespace bench {

outcome run_fft(const parameters& p) { return fft::measured<openmp_forks>(p); }

}  // namespace bench
