// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_sort with this library's parallel_sort.
#include <bench/harness/teff.hpp>
#include <bench/parallel_sort/parallel_sort.hpp>

#include <teff/parallel_sort.hpp>

namespace bench {

outcome run_parallel_sort(const parameters& p) {
    return parallel_sort::measured(p, [&p](auto& elements) {
        teff::execute(options_of(p), [&elements] { teff::parallel_sort(elements.begin(), elements.end()); });
    });
}

}  // namespace bench
