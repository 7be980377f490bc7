// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How tasks spread over the workers if each worker creates an equal number of them (X-OpenMP, section 5.1, Fig. 7):
// the number of tasks that each worker ran, as a box plot.
//
// A size is the length of a task in nanoseconds and the number of tasks of all workers together, such as 100x200000;
// the remainder that cannot be divided equally is omitted.
#pragma once

#include <bench/harness/kernel.hpp>

namespace bench {

}  // namespace bench
