// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// alignment as a reduction over tasks of this library.
#include <bench/alignment/alignment.hpp>

#include <bench/harness/teff.hpp>

namespace bench {

outcome run_alignment(const parameters& p);

outcome run_alignment(const parameters& p) {
    const alignment::problem input = alignment::problem_of(p);
    const alignment::task first = alignment::first_task(input);
    alignment::result found;
    const double seconds =
        time_seconds([&] { found = teff::reduce_tasks(options_of(p), alignment::body{input}, first); });
    return alignment::checked(input, seconds, found);
}

}  // namespace bench
