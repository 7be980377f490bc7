// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nqueens as a reduction over tasks of this library.
#include <bench/harness/teff.hpp>
#include <bench/nqueens/nqueens.hpp>

namespace bench {

outcome run_nqueens(const parameters& p) {
    const unsigned size = nqueens::size(p);
    std::uint64_t solutions = 0;
    const double seconds = time_seconds(
        [&] { solutions = teff::reduce_tasks(options_of(p), nqueens::body{size}, nqueens::board{}); });
    return nqueens::checked(p, seconds, solutions);
}

}  // namespace bench
