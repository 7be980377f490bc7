// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How tasks spread over the workers when each creates an equal number of them (X-OpenMP, section 5.1, Fig. 7): the
// tasks of each worker, as a box.
//
// A size is the length of a task in nanoseconds and the number of tasks of all workers, such as 100x200000; what cannot
// be divided equally is left out.
#pragma once

#include <bench/harness/kernel.hpp>

namespace bench {

extern const kernel_description distribution_description;

outcome run_distribution(const parameters& p);

}  // namespace bench
