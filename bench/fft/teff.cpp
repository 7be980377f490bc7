// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fft by fork and join of this library.
#include <bench/harness/teff.hpp>
#include <bench/fft/fft.hpp>

namespace bench {

outcome run_fft(const parameters& p) {
    fft::workload all = fft::generated(p);
    const double seconds =
        time_seconds([&] { teff::execute(options_of(p), [&] { all.transform_all<teff_forks>(); }); });
    return fft::checked(all, seconds);
}

}  // namespace bench
