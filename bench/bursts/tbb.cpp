// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bursts with oneTBB's groups and parallel_for. Each application thread has the arena that oneTBB gives it, except
// where all share one.
#include <bench/bursts/bursts.hpp>
#include <bench/harness/tbb.hpp>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace bench {

namespace {

void run_group(const bursts::task& run) {
    tbb::task_group group;
    for (unsigned index = 0; index < bursts::tasks; ++index) group.run([&run] { run(); });
    group.wait();
}

}  // namespace

outcome run_bursts(const parameters& p) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, p.threads);
    tbb::task_arena arena(static_cast<int>(p.threads));
    return bursts::measured(p, {
        .group = run_group,
        .loop = [](const bursts::task& run) { tbb::parallel_for(0U, bursts::tasks, [&run](unsigned) { run(); }); },
        .arena = [&arena](const bursts::task& run) { arena.execute([&run] { run_group(run); }); },
        .enqueue =
            [&arena](const bursts::task& run) {
                tbb::task_group group;
                for (unsigned index = 0; index < bursts::tasks; ++index)
                    arena.enqueue(group.defer([&run] { run(); }));
                arena.execute([&group] { group.wait(); });
            },
    });
}

}  // namespace bench
