// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task program as a reduction over tasks of this library: the sources are its first tasks.
//
// A task is represented by its number, a source by its index with a mark bit. The work done is the result of the
// reduction, as in a user's program; it is counted per worker as well only if the program asks for it.
#include <bench/micro/micro.hpp>

#include <bench/harness/teff.hpp>

namespace bench {
namespace {

constexpr std::uint64_t source_mark = std::uint64_t{1} << 63;

struct body {
    const task_program* program;
    tasks_per_worker* per_worker;                 // null: not counted per worker
    task_load load;

    template <class Pool> work_done operator()(Pool& pool, std::uint64_t task) const {
        if ((task & source_mark) != 0) [[unlikely]] {
            const task_source source = program->sources[task ^ source_mark];
            const std::uint64_t end = source.first + source.count;
            for (std::uint64_t number = source.first; number < end; ++number) pool.enq(number);
            return {};
        }
        const work_done done = load.run(task);
        if (per_worker != nullptr) per_worker->own() += done;
        return done;
    }
};

}  // namespace

program_result run_program(const parameters& p, const task_program& program) {
    program_result result;
    result.capacity = program.capacity;
    std::vector<std::uint64_t> sources;
    for (std::uint64_t index = 0; index < program.sources.size(); ++index) sources.push_back(source_mark | index);
    tasks_per_worker per_worker;
    result.seconds = time_seconds([&] {
        result.done = teff::reduce_tasks(options_of(p),
                                         body{&program, program.counts_workers ? &per_worker : nullptr, program.load},
                                         teff::from_range, sources);
    });
    if (program.counts_workers) result.tasks_by_worker = per_worker.tasks_by_worker(p.threads);
    return result;
}

}  // namespace bench
