// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task program without threads: the cost of the tasks and of their loop alone.
#include <bench/micro/micro.hpp>

namespace bench {

program_result run_program(const parameters&, const task_program& program) {
    program_result result;
    result.seconds = time_seconds([&] {
        for (const task_source& source : program.sources)
            for (std::uint64_t number = source.first; number < source.first + source.count; ++number)
                result.done += program.load.run(number);
    });
    result.tasks_by_worker = {static_cast<double>(result.done.tasks)};
    return result;
}

}  // namespace bench
