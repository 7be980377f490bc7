// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// alignment with this library: as a reduction over tasks, and by fork and join.
#include <bench/alignment/alignment.hpp>

#include <bench/harness/teff.hpp>

namespace bench {

outcome run_alignment(const parameters& p) {
    const alignment::problem input = alignment::problem_of(p);
    const alignment::task first = alignment::first_task(input);
    alignment::result found;
    const double seconds = time_seconds([&] {
        found = p.variant == "wait"
                    ? teff::execute(options_of(p), [&] { return alignment::waiting_step<teff_forks>(input, first); })
                    : teff::reduce_tasks(options_of(p), alignment::body{input}, first);
    });
    return alignment::checked(input, seconds, found);
}

}  // namespace bench
