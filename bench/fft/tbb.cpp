// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fft with oneTBB's parallel_invoke and task_group, which wait for their calls.
#include <bench/harness/tbb.hpp>
#include <bench/fft/fft.hpp>

namespace bench {

outcome run_fft(const parameters& p) {
    fft::workload all = fft::generated(p);
    const double seconds = time_seconds([&] { run_in_arena(p.threads, [&] { all.transform_all<tbb_forks>(); }); });
    return fft::checked(all, seconds);
}

}  // namespace bench
