// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// chain with OpenMP: one thread of a region makes the tasks, and the others wait in the barrier at its end.
#include <bench/chain/chain.hpp>
#include <bench/harness/openmp.hpp>

namespace bench {
namespace {

void run_tasks(std::uint64_t count, const chain::step& step) {
    for (; count != 0; --count) {
#pragma omp task default(none) shared(step)
        step();
#pragma omp taskwait
    }
}

}  // namespace

outcome run_chain(const parameters& p) {
    outcome result;
    run_in_region(p.threads, [&] { result = chain::measured(p, run_tasks); });
    return result;
}

}  // namespace bench
