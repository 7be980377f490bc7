// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of kernels, generated from the rows in bench/kernels.inc and, in a namespace of their own, those in
// bench/threads/kernels.inc. A family that has only those of one kind defines TEFF_BENCH_DATAFLOW_ONLY or
// TEFF_BENCH_THREADS_ONLY.
#include <bench/harness/kernels.hpp>

namespace bench {

#if defined(TEFF_BENCH_DATAFLOW_ONLY)
#define TEFF_BENCH_ROWS <bench/dataflow/kernels.inc>
#elif !defined(TEFF_BENCH_THREADS_ONLY)
#define TEFF_BENCH_ROWS <bench/kernels.inc>
#endif
#if !defined(TEFF_BENCH_DATAFLOW_ONLY)
#define TEFF_BENCH_THREADS_ROWS <bench/threads/kernels.inc>
#endif

#define TEFF_BENCH_WAITING_KERNEL TEFF_BENCH_KERNEL

namespace {

constexpr kernel table[] = {
#if defined(TEFF_BENCH_ROWS)
#define TEFF_BENCH_KERNEL(name) {name##_description, run_##name},
#include TEFF_BENCH_ROWS
#undef TEFF_BENCH_KERNEL
#endif
#if defined(TEFF_BENCH_THREADS_ROWS)
#define TEFF_BENCH_KERNEL(name) {threads::name##_description, threads::run_##name},
#include TEFF_BENCH_THREADS_ROWS
#undef TEFF_BENCH_KERNEL
#endif
};
#undef TEFF_BENCH_WAITING_KERNEL

}  // namespace

std::span<const kernel> all_kernels() { return table; }

const kernel& kernel_by_name(const std::string& name, const std::string& kind) {
    std::string known;
    for (const kernel& each : table) {
        if (each.description.threads != (kind == "threads")) continue;
        if (name == each.description.name) return each;
        known += std::string(known.empty() ? "" : ", ") + each.description.name;
    }
    throw usage_error("--kernel " + name + ": there are " + known);
}

}  // namespace bench
