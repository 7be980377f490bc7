// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wake with OpenMP: a parallel loop with dynamic scheduling, one iteration at a time.
#include <bench/wake/wake.hpp>

#include <omp.h>

namespace bench {
namespace {

void loop(int threads, const wake::iteration& iterate) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) default(none) shared(iterate)
    for (unsigned index = 0; index < wake::iterations; ++index) iterate();
}

}  // namespace

outcome run_wake(const parameters& p) {
    return wake::measured(p, [&p](const wake::iteration& iterate) { loop(static_cast<int>(p.threads), iterate); });
}

}  // namespace bench
