// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bursts with this library's groups and parallel_for. Each application thread is in a call of execute(), which has the
// options of the run.
#include <bench/bursts/bursts.hpp>
#include <bench/harness/teff.hpp>

#include <teff/parallel_for.hpp>
#include <teff/task_group.hpp>

#include <functional>

namespace bench {

outcome run_bursts(const parameters& p) {
    return bursts::measured(p, {
        .group =
            [](const bursts::task& run) {
                teff::task_group group;
                for (unsigned index = 0; index < bursts::tasks; ++index) group.run([&run] { run(); });
                group.wait();
            },
        .loop = [](const bursts::task& run) { teff::parallel_for(0U, bursts::tasks, [&run](unsigned) { run(); }); },
        .on_thread = [&p](const std::function<void()>& body) { teff::execute(options_of(p), body); },
    });
}

}  // namespace bench
