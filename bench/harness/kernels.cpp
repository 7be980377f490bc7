// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one table of kernels; see kernels.hpp.
#include <bench/harness/kernels.hpp>

namespace bench {

#define TEFF_BENCH_DECLARE(name)                        \
    extern const kernel_description name##_description; \
    outcome run_##name(const parameters&);

TEFF_BENCH_DECLARE(pi)
TEFF_BENCH_DECLARE(fib)
TEFF_BENCH_DECLARE(nqueens)
TEFF_BENCH_DECLARE(tsp)
TEFF_BENCH_DECLARE(floorplan)
TEFF_BENCH_DECLARE(knapsack)
TEFF_BENCH_DECLARE(alignment)
TEFF_BENCH_DECLARE(dot)
TEFF_BENCH_DECLARE(uts)

namespace {

constexpr kernel table[] = {
    {pi_description, run_pi},
    {fib_description, run_fib},
    {nqueens_description, run_nqueens},
    {tsp_description, run_tsp},
    {floorplan_description, run_floorplan},
    {knapsack_description, run_knapsack},
    {alignment_description, run_alignment},
    {dot_description, run_dot},
    {uts_description, run_uts},
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
