// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nqueens with oneTBB's task_group, without waiting inside tasks; partial results per thread.
#include <bench/harness/tbb.hpp>
#include <bench/nqueens/nqueens.hpp>

namespace bench {
namespace {

using partial_sums = padded_partials<std::uint64_t>;

void task(const nqueens::board& queens, unsigned size, tbb::task_group& group, partial_sums& sums) {
    own_partial(sums) += nqueens::search(queens, size, [size, &group, &sums](const nqueens::board& next) {
        group.run([next, size, &group, &sums] { task(next, size, group, sums); });
    });
}

}  // namespace

outcome run_nqueens(const parameters& p) {
    const unsigned size = nqueens::size(p);
    partial_sums sums(p.threads);
    const double seconds = time_seconds([&] {
        run_in_group(p.threads, [&](tbb::task_group& group) { task(nqueens::board{}, size, group, sums); });
    });
    return nqueens::checked(p, seconds, sums.total());
}

}  // namespace bench
