// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runs of all workloads; the table in all.cpp names them.
#pragma once

#include <simulator/workload.hpp>

#include <cstdint>
#include <utility>

namespace simulator {

std::uint64_t run_fib_reduce(const request& how);
std::uint64_t run_fib_forks(const request& how);
std::uint64_t run_skynet_forks(const request& how);
std::uint64_t run_uts_reduce(const request& how);
std::uint64_t run_uts_geometric(const request& how);
std::uint64_t run_nqueens_reduce(const request& how);
std::uint64_t run_nqueens_forks(const request& how);
std::uint64_t run_nqueens_groups(const request& how);
std::uint64_t run_parallel_for(const request& how);
std::uint64_t run_chain_reduce(const request& how);
std::uint64_t run_chain_forks(const request& how);
std::uint64_t run_chain_groups(const request& how);
std::uint64_t run_health(const request& how);
std::uint64_t run_sparselu(const request& how);
std::uint64_t run_potrf(const request& how);
std::uint64_t run_syrk(const request& how);
std::uint64_t run_block_product(const request& how);
std::uint64_t run_stream(const request& how);
std::uint64_t run_search(const request& how);
// Where the OpenMP runtime is simulated.
std::uint64_t run_openmp_parallel(const request& how);
std::uint64_t run_openmp_barrier(const request& how);
std::uint64_t run_openmp_reduction(const request& how);
std::uint64_t run_openmp_fib(const request& how);
std::uint64_t run_openmp_chain(const request& how);
std::uint64_t run_openmp_nqueens(const request& how);
std::uint64_t run_openmp_overhead(const request& how);
std::uint64_t run_openmp_distribution(const request& how);
std::uint64_t run_openmp_steal(const request& how);
std::uint64_t run_openmp_queue_size(const request& how);
std::uint64_t run_openmp_strassen(const request& how);

}  // namespace simulator
