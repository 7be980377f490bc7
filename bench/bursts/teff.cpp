// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bursts with this library's groups and parallel_for. Each application thread is in a call of execute(), which has the
// options of the run; with arenas, the arena has them.
#include <bench/bursts/bursts.hpp>
#include <bench/harness/teff.hpp>

#include <teff/arena.hpp>
#include <teff/parallel_for.hpp>
#include <teff/task_group.hpp>

#include <functional>
#include <optional>

namespace bench {

namespace {

void run_group(const bursts::task& run) {
    teff::task_group group;
    for (unsigned index = 0; index < bursts::tasks; ++index) group.run([&run] { run(); });
    group.wait();
}

}  // namespace

outcome run_bursts(const parameters& p) {
    std::optional<teff::arena> arena;
    if (bursts::has_arena(p)) arena.emplace(options_of(p));
    return bursts::measured(p, {
        .group = run_group,
        .loop = [](const bursts::task& run) { teff::parallel_for(0U, bursts::tasks, [&run](unsigned) { run(); }); },
        .arena = [&arena](const bursts::task& run) { arena->execute([&run] { run_group(run); }); },
        .enqueue =
            [&arena](const bursts::task& run) {
                teff::task_group group;
                for (unsigned index = 0; index < bursts::tasks; ++index) arena->enqueue(group, [&run] { run(); });
                arena->execute([&group] { group.wait(); });
            },
        .on_thread =
            [&p](const std::function<void()>& body) {
                if (bursts::has_arena(p))
                    body();
                else
                    teff::execute(options_of(p), body);
            },
    });
}

}  // namespace bench
