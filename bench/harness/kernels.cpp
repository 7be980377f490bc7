// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of kernels, generated from the rows in bench/kernels.inc. A family that has only those of kind dataflow
// defines TEFF_BENCH_DATAFLOW_ONLY.
#include <bench/harness/kernels.hpp>

namespace bench {

#if defined(TEFF_BENCH_DATAFLOW_ONLY)
#define TEFF_BENCH_ROWS <bench/dataflow/kernels.inc>
#else
#define TEFF_BENCH_ROWS <bench/kernels.inc>
#endif

#define TEFF_BENCH_KERNEL(name)                         \
    extern const kernel_description name##_description; \
    outcome run_##name(const parameters&);
#include TEFF_BENCH_ROWS
#undef TEFF_BENCH_KERNEL

namespace {

constexpr kernel table[] = {
#define TEFF_BENCH_KERNEL(name) {name##_description, run_##name},
#include TEFF_BENCH_ROWS
#undef TEFF_BENCH_KERNEL
};

}  // namespace

std::span<const kernel> all_kernels() { return table; }

const kernel& kernel_by_name(const std::string& name) {
    std::string known;
    for (const kernel& each : table) {
        if (name == each.description.name) return each;
        known += std::string(known.empty() ? "" : ", ") + each.description.name;
    }
    throw usage_error("--kernel " + name + ": there are " + known);
}

}  // namespace bench
