// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of kind threads with oneTBB's parallel_invoke and task_group.
#include <bench/harness/tbb.hpp>
#include <bench/threads/programs.hpp>

namespace bench::threads {
namespace {

struct tbb_face : tbb_forks {
    template <class... F> static void all(const F&... f) {
        if constexpr (sizeof...(f) > 1) {
            tbb::parallel_invoke(f...);
        } else {
            tbb::task_group group;
            (group.run(f), ...);
            group.wait();
        }
    }
};

}  // namespace

#define TEFF_BENCH_KERNEL(name) \
    outcome run_##name(const parameters& p) { return name::measured<tbb_face>(p); }
#define TEFF_BENCH_WAITING_KERNEL(name) \
    outcome run_##name(const parameters&) { throw usage_error(#name ": tasks may not wait for each other"); }
#include <bench/threads/kernels.inc>
#undef TEFF_BENCH_WAITING_KERNEL
#undef TEFF_BENCH_KERNEL

}  // namespace bench::threads
