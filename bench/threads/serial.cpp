// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of kind threads without threads, and with those of the system.
#include <bench/threads/pthread_face.hpp>
#include <bench/threads/programs.hpp>
#include <bench/threads/serial_face.hpp>

namespace bench::threads {

#define TEFF_BENCH_KERNEL(name)                                                                             \
    outcome run_##name(const parameters& p) {                                                               \
        return p.variant == "recursive" ? name::measured<serial_face>(p) : name::measured<pthread_face>(p); \
    }
#define TEFF_BENCH_WAITING_KERNEL(name) \
    outcome run_##name(const parameters& p) { return name::measured<pthread_face>(p); }
#include <bench/threads/kernels.inc>
#undef TEFF_BENCH_WAITING_KERNEL
#undef TEFF_BENCH_KERNEL

}  // namespace bench::threads
