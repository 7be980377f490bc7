// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_for without threads: the plain loop.
#include <bench/parallel_for/parallel_for.hpp>

namespace bench {
namespace {

TEFF_BENCH_RECURSIVE void loop(parallel_for::input& run) {
    for (std::size_t index = 0; index < run.iterations(); ++index) run.iterate(index);
}

}  // namespace

outcome run_parallel_for(const parameters& p) {
    parallel_for::input run = parallel_for::made(p);
    const double seconds = time_seconds([&] {
        for (std::uint64_t count = 0; count < run.loops; ++count) loop(run);
    });
    return parallel_for::checked(run, seconds);
}

}  // namespace bench
