// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dataflow kernels without threads: a task is called where it is spawned.
#include <bench/dataflow/programs.hpp>
#include <bench/dataflow/serial_face.hpp>

namespace bench {

#define TEFF_BENCH_KERNEL(name) \
    outcome run_##name(const parameters& p) { return name::measured<serial_face>(p); }
#include <bench/dataflow/kernels.inc>
#undef TEFF_BENCH_KERNEL

}  // namespace bench
