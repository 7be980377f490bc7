// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_for with this library's parallel_for.
#include <bench/harness/teff.hpp>
#include <bench/parallel_for/parallel_for.hpp>

#include <teff/parallel_for.hpp>

namespace bench {

outcome run_parallel_for(const parameters& p) {
    parallel_for::input run = parallel_for::made(p);
    const double seconds = time_seconds([&] {
        teff::execute(options_of(p), [&] {
            for (std::uint64_t count = 0; count < run.loops; ++count)
                teff::parallel_for(std::size_t{0}, run.iterations(), [&run](std::size_t index) { run.iterate(index); });
        });
    });
    return parallel_for::checked(run, seconds);
}

}  // namespace bench
