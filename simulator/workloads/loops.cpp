// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short parallel loops, one after the other.
#include <simulator/workloads/all.hpp>

#include <teff/fork_join.hpp>
#include <teff/parallel_for.hpp>

namespace simulator {

std::uint64_t run_parallel_for(const request& wanted) {
    constexpr long iterations = 1000;
    constexpr double iteration_ns = 7;
    teff::execute({.threads = wanted.threads, .scheduler = wanted.scheduler}, [&] {
        for (long loop = 0; loop < wanted.size; ++loop)
            teff::parallel_for(0L, iterations, [](long) { work_ns(iteration_ns); });
    });
    return static_cast<std::uint64_t>(wanted.size * iterations);
}

}  // namespace simulator
