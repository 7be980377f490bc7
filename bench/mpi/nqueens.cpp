// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nqueens on many ranks: a task is a board with queens in its first rows.
#include <bench/mpi/program.hpp>

#include <bench/nqueens/nqueens.hpp>

#include <cstdint>

namespace bench::mpi {

const program nqueens_program = {teff_runtime, nqueens_description, one_variant(), [](const run_settings& asked) {
    return nqueens::with_rule(asked.run, [&](auto rule) {
        std::uint64_t solutions = 0;
        const double seconds =
            time_seconds([&] { solutions = reduced(asked, nqueens::body<decltype(rule)>{rule}, nqueens::board{}); });
        return nqueens::checked(asked.run, seconds, solutions);
    });
}};

}  // namespace bench::mpi
