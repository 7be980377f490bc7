// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// alignment with oneTBB's task_group, without waiting inside tasks, with partial results per thread; and with
// parallel_invoke and a task_group, which wait for their calls.
#include <bench/alignment/alignment.hpp>

#include <bench/harness/tbb.hpp>

namespace bench {

outcome run_alignment(const parameters& p) {
    const alignment::problem input = alignment::problem_of(p);
    const alignment::task first = alignment::first_task(input);
    if (p.variant == "wait") {
        const auto [seconds, found] = timed_call<tbb_forks>(
            p, [&] { return alignment::waiting_step<tbb_forks>(input, first); });
        return alignment::checked(input, seconds, found);
    }
    const auto [seconds, found] = summed_over_tasks<alignment::result>(
        p, first, [&](const alignment::task& node, const auto& create) {
            return alignment::step(input, node, create);
        });
    return alignment::checked(input, seconds, found);
}

}  // namespace bench
