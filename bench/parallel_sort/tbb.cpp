// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_sort with oneTBB's parallel_sort.
#include <bench/harness/tbb.hpp>
#include <bench/parallel_sort/parallel_sort.hpp>

#include <tbb/parallel_sort.h>

namespace bench {

outcome run_parallel_sort(const parameters& p) {
    return parallel_sort::measured(p, [&p](auto& elements) {
        run_in_arena(p.threads, [&elements] { tbb::parallel_sort(elements.begin(), elements.end()); });
    });
}

}  // namespace bench
