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
#ifndef TEFF_BENCH_NO_PI
    {pi_description, run_pi},
#endif
#ifndef TEFF_BENCH_NO_FIB
    {fib_description, run_fib},
#endif
#ifndef TEFF_BENCH_NO_NQUEENS
    {nqueens_description, run_nqueens},
#endif
#ifndef TEFF_BENCH_NO_TSP
    {tsp_description, run_tsp},
#endif
#ifndef TEFF_BENCH_NO_FLOORPLAN
    {floorplan_description, run_floorplan},
#endif
#ifndef TEFF_BENCH_NO_KNAPSACK
    {knapsack_description, run_knapsack},
#endif
#ifndef TEFF_BENCH_NO_ALIGNMENT
    {alignment_description, run_alignment},
#endif
#ifndef TEFF_BENCH_NO_DOT
    {dot_description, run_dot},
#endif
#ifndef TEFF_BENCH_NO_UTS
    {uts_description, run_uts},
#endif
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
