// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_sort with the standard library's parallel mode.
#include <bench/parallel_sort/parallel_sort.hpp>

// The headers of the parallel mode use features that C++11 deprecated.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <parallel/algorithm>
#pragma GCC diagnostic pop

namespace bench {

outcome run_parallel_sort(const parameters& p) {
    return parallel_sort::measured(p, [&p](auto& elements) {
        const auto threads = static_cast<std::uint16_t>(p.threads);   // at most 4096
        __gnu_parallel::sort(elements.begin(), elements.end(), __gnu_parallel::default_parallel_tag(threads));
    });
}

}  // namespace bench
