// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fib on many ranks: a task is an argument. Next to no work per task, so this measures what a task costs.
#include <bench/mpi/program.hpp>

#include <bench/fib/fib.hpp>

#include <cstddef>

namespace bench::mpi {

const program fib_program = {teff_runtime, fib_description, one_variant(), [](const run_settings& asked) {
    return fib::with_rule(asked.run, [&](auto rule) {
        std::size_t answer = 0;
        const std::size_t num = fib::argument(asked.run);
        const double seconds = time_seconds([&] { answer = reduced(asked, fib::body<decltype(rule)>{rule}, num); });
        return fib::checked(asked.run, seconds, answer);
    });
}};

}  // namespace bench::mpi
