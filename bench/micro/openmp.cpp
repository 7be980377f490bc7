// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task program with OpenMP tasks: the region's first threads are the sources.
#include <bench/micro/micro.hpp>

#include <omp.h>

namespace bench {
namespace {

void create(const task_source& source, const task_load& load, tasks_per_worker& per_worker) {
    const std::uint64_t end = source.first + source.count;
    for (std::uint64_t number = source.first; number < end; ++number) {
#pragma omp task default(none) firstprivate(number) shared(load, per_worker)
        per_worker.own() += load.run(number);
    }
}

}  // namespace

program_result run_program(const parameters& p, const task_program& program) {
    tasks_per_worker per_worker;
    program_result result;
    const auto threads = static_cast<int>(p.threads);
    result.seconds = time_seconds([&] {
#pragma omp parallel num_threads(threads) default(none) shared(program, per_worker)
        {
            const auto self = static_cast<std::size_t>(omp_get_thread_num());
            if (self < program.sources.size()) create(program.sources[self], program.load, per_worker);
        }
    });
    result.done = per_worker.total();
    result.tasks_by_worker = per_worker.tasks_by_worker(p.threads);
    return result;
}

}  // namespace bench
