// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of all workloads; see workload.hpp.
#include <simulator/workloads/all.hpp>

#include <teff/options/options.hpp>

#include <array>
#include <stdlib.h>

namespace simulator {
namespace {

constexpr auto table = std::to_array<workload>({
    {"fib", "reduce", "n", 20, run_fib_reduce},
    {"fib", "fork_join", "n", 20, run_fib_forks},
    {"skynet", "fork_join", "levels of ten children", 4, run_skynet_forks},
    {"nqueens", "reduce", "queens", 8, run_nqueens_reduce},
    {"nqueens", "fork_join", "queens", 8, run_nqueens_forks},
    {"nqueens", "task_group", "queens", 8, run_nqueens_groups},
    {"uts", "reduce", "children of the root of a binomial tree", 300, run_uts_reduce},
    {"uts_geometric", "reduce", "depth of the tree", 8, run_uts_geometric},
    {"parallel_for", "fork_join", "loops of 1000 iterations", 200, run_parallel_for},
    {"chain", "reduce", "tasks", 1000, run_chain_reduce},
    {"chain", "fork_join", "forks", 1000, run_chain_forks},
    {"chain", "task_group", "tasks", 1000, run_chain_groups},
    {"health", "fork_join", "steps of 5461 villages", 6, run_health},
    {"sparselu", "fork_join", "blocks in a row", 20, run_sparselu},
    {"potrf", "dataflow", "tiles in a row", 24, run_potrf},
    {"syrk", "dataflow", "tiles in a row", 16, run_syrk},
    {"block_product", "dataflow", "tiles in a row", 16, run_block_product},
    {"stream", "threads", "fibers of a repetition", 32, run_stream},
    {"search", "threads", "two to this power are the vertices of a random graph", 12, run_search},
#if defined(TEFF_WITH_OPENMP)
    {"parallel", "openmp", "regions", 200, run_openmp_parallel},
    {"barrier", "openmp", "barriers", 200, run_openmp_barrier},
    {"reduction", "openmp", "regions with a sum", 200, run_openmp_reduction},
    {"fib", "openmp", "n; calls of 8 and less are no tasks", 24, run_openmp_fib},
    {"nqueens", "openmp", "queens", 8, run_openmp_nqueens},
    {"chain", "openmp", "tasks", 1000, run_openmp_chain},
    {"overhead", "openmp", "tasks of 1 ns, from each thread", 100, run_openmp_overhead},
    {"distribution", "openmp", "tasks of 100 ns, from each thread", 100, run_openmp_distribution},
    {"steal", "openmp", "tasks of 100 ns, from one thread", 2000, run_openmp_steal},
    {"queue_size", "openmp", "tasks of 100 ns, from each thread; one also makes long ones", 100,
     run_openmp_queue_size},
    {"strassen", "openmp", "rows of the smallest matrices, of 8192", 512, run_openmp_strassen},
#endif
});

}  // namespace

std::span<const workload> workloads() noexcept { return table; }

void read_options(const request& wanted) noexcept {
    // For the OpenMP runtime, whose programs cannot name them.
    ::setenv("TEFF_SCHEDULER", wanted.scheduler.c_str(), 1);
    ::setenv("TEFF_TRACKER", wanted.tracker.c_str(), 1);
    [[maybe_unused]] const auto& read = teff::process_configuration();
}

}  // namespace simulator
