// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_sort without threads: the standard library's sort.
#include <bench/parallel_sort/parallel_sort.hpp>

#include <algorithm>

namespace bench {

outcome run_parallel_sort(const parameters& p) {
    return parallel_sort::measured(p, [](auto& elements) { std::sort(elements.begin(), elements.end()); });
}

}  // namespace bench
