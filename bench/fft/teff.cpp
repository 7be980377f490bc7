// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fft by fork and join of this library.
#include <bench/harness/teff.hpp>
#include <bench/fft/fft.hpp>

namespace bench {

outcome run_fft(const parameters& p) { return fft::measured<teff_forks>(p); }

}  // namespace bench
