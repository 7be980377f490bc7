// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_for with oneTBB's parallel_for.
#include <bench/harness/tbb.hpp>
#include <bench/parallel_for/parallel_for.hpp>

#include <tbb/parallel_for.h>

namespace bench {

outcome run_parallel_for(const parameters& p) {
    parallel_for::input run = parallel_for::made(p);
    const double seconds = time_seconds([&] {
        run_in_arena(p.threads, [&] {
            for (std::uint64_t count = 0; count < run.loops; ++count)
                tbb::parallel_for(std::size_t{0}, run.iterations(), [&run](std::size_t index) { run.iterate(index); });
        });
    });
    return parallel_for::checked(run, seconds);
}

}  // namespace bench
