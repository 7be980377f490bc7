// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of kind threads with OpenMP tasks, each of which waits for those that it created.
#include <bench/harness/openmp.hpp>
#include <bench/threads/programs.hpp>

namespace bench::threads {
namespace {

template <class F> void make_task(const F& f) {
#pragma omp task default(none) firstprivate(f)
    f();
}

struct openmp_face : openmp_forks {
    template <class... F> static void all(const F&... f) {
        (make_task(f), ...);
#pragma omp taskwait
    }
};

}  // namespace

#define TEFF_BENCH_KERNEL(name) \
    outcome run_##name(const parameters& p) { return name::measured<openmp_face>(p); }
#define TEFF_BENCH_WAITING_KERNEL(name) \
    outcome run_##name(const parameters&) { throw usage_error(#name ": tasks may not wait for each other"); }
#include <bench/threads/kernels.inc>
#undef TEFF_BENCH_WAITING_KERNEL
#undef TEFF_BENCH_KERNEL

}  // namespace bench::threads
