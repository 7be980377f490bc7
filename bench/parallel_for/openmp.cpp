// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_for with OpenMP: a parallel loop with static scheduling, divided into equal parts in advance.
#include <bench/parallel_for/parallel_for.hpp>

#include <omp.h>

namespace bench {
namespace {

void loop(int threads, parallel_for::input& run) {
    const std::size_t iterations = run.iterations();
#pragma omp parallel for schedule(static) num_threads(threads) default(none) shared(run) firstprivate(iterations)
    for (std::size_t index = 0; index < iterations; ++index) run.iterate(index);
}

}  // namespace

outcome run_parallel_for(const parameters& p) {
    parallel_for::input run = parallel_for::made(p);
    const double seconds = time_seconds([&] {
        for (std::uint64_t count = 0; count < run.loops; ++count) loop(static_cast<int>(p.threads), run);
    });
    return parallel_for::checked(run, seconds);
}

}  // namespace bench
