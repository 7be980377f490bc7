// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strassen with oneTBB's parallel_invoke and task_group, which wait for their calls.
#include <bench/harness/tbb.hpp>
#include <bench/strassen/strassen.hpp>

namespace bench {

outcome run_strassen(const parameters& p) {
    matrix_product product = strassen::generated(p);
    const std::size_t base = strassen::base_of(p);
    const double seconds =
        time_seconds([&] { run_in_arena(p.threads, [&] { strassen::multiply_all<tbb_forks>(product, base); }); });
    return strassen::checked(product, seconds, base);
}

}  // namespace bench
