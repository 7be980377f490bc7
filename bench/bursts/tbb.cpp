// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bursts with oneTBB's groups and parallel_for. Each application thread has the arena that oneTBB gives it.
#include <bench/bursts/bursts.hpp>
#include <bench/harness/tbb.hpp>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

namespace bench {

outcome run_bursts(const parameters& p) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, p.threads);
    return bursts::measured(p, {
        .group =
            [](const bursts::task& run) {
                tbb::task_group group;
                for (unsigned index = 0; index < bursts::tasks; ++index) group.run([&run] { run(); });
                group.wait();
            },
        .loop = [](const bursts::task& run) { tbb::parallel_for(0U, bursts::tasks, [&run](unsigned) { run(); }); },
    });
}

}  // namespace bench
