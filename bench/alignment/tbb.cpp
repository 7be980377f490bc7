// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// alignment with oneTBB's task_group, without waiting inside tasks, with partial results per thread; and with
// parallel_invoke and a task_group, which wait for their calls.
#include <bench/alignment/alignment.hpp>

#include <bench/harness/tbb.hpp>

namespace bench {
namespace {

struct scoring {
    const alignment::problem& input;
    padded_partials<alignment::result>& partials;

    void run(tbb::task_group& group, alignment::task work) const {
        own_partial(partials) += alignment::step(input, work, [this, &group](alignment::task child) {
            group.run([this, &group, child] { run(group, child); });
        });
    }
};

}  // namespace

outcome run_alignment(const parameters& p);

outcome run_alignment(const parameters& p) {
    const alignment::problem input = alignment::problem_of(p);
    const alignment::task first = alignment::first_task(input);
    if (p.variant == "wait") {
        alignment::result found;
        const double seconds = time_seconds([&] {
            run_in_arena(p.threads, [&] { found = alignment::waiting_step<tbb_forks>(input, first); });
        });
        return alignment::checked(input, seconds, found);
    }
    padded_partials<alignment::result> partials(p.threads);
    const scoring all{input, partials};
    const double seconds = time_seconds(
        [&] { run_in_group(p.threads, [&](tbb::task_group& group) { all.run(group, first); }); });
    return alignment::checked(input, seconds, partials.total());
}

}  // namespace bench
