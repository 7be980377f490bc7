// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul with oneTBB's parallel_invoke and task_group, which wait for their calls.
#include <bench/harness/tbb.hpp>
#include <bench/matmul/matmul.hpp>

namespace bench {

outcome run_matmul(const parameters& p) {
    matrix_product product = matmul::generated(p);
    const double seconds =
        time_seconds([&] { run_in_arena(p.threads, [&] { matmul::multiply_all<tbb_forks>(product); }); });
    return matmul::checked(product, seconds);
}

}  // namespace bench
