// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task program with oneTBB's task_group: each source is a task that runs its tasks in the group.
#include <bench/micro/micro.hpp>

#include <bench/harness/tbb.hpp>

namespace bench {
namespace {

void create(const task_source& source, const task_load& load, tbb::task_group& group, tasks_per_worker& per_worker) {
    const std::uint64_t end = source.first + source.count;
    for (std::uint64_t number = source.first; number < end; ++number)
        group.run([number, &load, &per_worker] { per_worker.own() += load.run(number); });
}

}  // namespace

program_result run_program(const parameters& p, const task_program& program) {
    tasks_per_worker per_worker;
    program_result result;
    result.seconds = time_seconds([&] {
        run_in_group(p.threads, [&](tbb::task_group& group) {
            for (const task_source& source : program.sources)
                group.run([&] { create(source, program.load, group, per_worker); });
        });
    });
    result.done = per_worker.total();
    result.tasks_by_worker = per_worker.tasks_by_worker(p.threads);
    return result;
}

}  // namespace bench
