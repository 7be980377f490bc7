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
TEFF_BENCH_DECLARE(integrate)
TEFF_BENCH_DECLARE(quicksort)
TEFF_BENCH_DECLARE(sort)
TEFF_BENCH_DECLARE(matmul)
TEFF_BENCH_DECLARE(strassen)
TEFF_BENCH_DECLARE(fft)
TEFF_BENCH_DECLARE(sparselu)
TEFF_BENCH_DECLARE(health)
TEFF_BENCH_DECLARE(parallel_for)
TEFF_BENCH_DECLARE(parallel_sort)
TEFF_BENCH_DECLARE(overhead)
TEFF_BENCH_DECLARE(distribution)
TEFF_BENCH_DECLARE(steal)
TEFF_BENCH_DECLARE(queue_size)
TEFF_BENCH_DECLARE(producers)
TEFF_BENCH_DECLARE(latency)
TEFF_BENCH_DECLARE(queue_throughput)
TEFF_BENCH_DECLARE(wake)

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
    {integrate_description, run_integrate},
    {quicksort_description, run_quicksort},
    {sort_description, run_sort},
    {matmul_description, run_matmul},
    {strassen_description, run_strassen},
    {fft_description, run_fft},
    {sparselu_description, run_sparselu},
    {health_description, run_health},
    {parallel_for_description, run_parallel_for},
    {parallel_sort_description, run_parallel_sort},
    {overhead_description, run_overhead},
    {distribution_description, run_distribution},
    {steal_description, run_steal},
    {queue_size_description, run_queue_size},
    {producers_description, run_producers},
    {latency_description, run_latency},
    {queue_throughput_description, run_queue_throughput},
    {wake_description, run_wake},
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
