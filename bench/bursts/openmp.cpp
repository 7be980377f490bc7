// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bursts with OpenMP: a parallel region per burst, with four tasks or a loop, one iteration at a time.
#include <bench/bursts/bursts.hpp>
#include <bench/harness/openmp.hpp>

namespace bench {
namespace {

void make_tasks(const bursts::task& run) {
    for (unsigned index = 0; index < bursts::tasks; ++index) {
#pragma omp task default(none) shared(run)
        run();
    }
}

void loop(int threads, const bursts::task& run) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) default(none) shared(run)
    for (unsigned index = 0; index < bursts::tasks; ++index) run();
}

}  // namespace

outcome run_bursts(const parameters& p) {
    return bursts::measured(p, {
        .group = [&p](const bursts::task& run) { run_in_region(p.threads, [&run] { make_tasks(run); }); },
        .loop = [&p](const bursts::task& run) { loop(static_cast<int>(p.threads), run); },
    });
}

}  // namespace bench
