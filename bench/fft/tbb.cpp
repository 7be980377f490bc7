// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fft with oneTBB's parallel_invoke and task_group, which wait for their calls.
#include <bench/harness/tbb.hpp>
#include <bench/fft/fft.hpp>

namespace bench {

outcome run_fft(const parameters& p) { return fft::measured<tbb_forks>(p); }

}  // namespace bench
