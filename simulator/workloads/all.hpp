// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runs of all workloads; the table in all.cpp names them.
#pragma once

#include <simulator/workload.hpp>

#include <cstdint>
#include <utility>

namespace simulator {

std::uint64_t run_fib_reduce(const request& wanted);
std::uint64_t run_fib_forks(const request& wanted);
std::uint64_t run_skynet_forks(const request& wanted);
std::uint64_t run_uts_reduce(const request& wanted);
std::uint64_t run_uts_geometric(const request& wanted);
std::uint64_t run_nqueens_reduce(const request& wanted);
std::uint64_t run_nqueens_forks(const request& wanted);
std::uint64_t run_nqueens_groups(const request& wanted);
std::uint64_t run_parallel_for(const request& wanted);
std::uint64_t run_chain_reduce(const request& wanted);
std::uint64_t run_chain_forks(const request& wanted);
std::uint64_t run_chain_groups(const request& wanted);
std::uint64_t run_health(const request& wanted);
std::uint64_t run_sparselu(const request& wanted);
std::uint64_t run_potrf(const request& wanted);
std::uint64_t run_syrk(const request& wanted);
std::uint64_t run_block_product(const request& wanted);
std::uint64_t run_stream(const request& wanted);
std::uint64_t run_search(const request& wanted);
// Where the OpenMP runtime is simulated.
std::uint64_t run_openmp_parallel(const request& wanted);
std::uint64_t run_openmp_barrier(const request& wanted);
std::uint64_t run_openmp_reduction(const request& wanted);
std::uint64_t run_openmp_fib(const request& wanted);
std::uint64_t run_openmp_chain(const request& wanted);
std::uint64_t run_openmp_nqueens(const request& wanted);
std::uint64_t run_openmp_overhead(const request& wanted);
std::uint64_t run_openmp_distribution(const request& wanted);
std::uint64_t run_openmp_steal(const request& wanted);
std::uint64_t run_openmp_queue_size(const request& wanted);
std::uint64_t run_openmp_strassen(const request& wanted);

}  // namespace simulator
