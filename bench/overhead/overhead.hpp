// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a runtime adds to a task of a given length (X-OpenMP, section 5.1, Fig. 6): each worker creates its share of
// tasks that take 1 ns to 1 us. The overhead is the time of all workers less what the tasks should take, per task.
//
// A size is the length in nanoseconds and the tasks per worker, such as 100x20000. What counting and calling the tasks
// costs is in the overhead, for all runtimes alike; the row of runtime serial shows how much that is.
#pragma once

#include <bench/harness/kernel.hpp>

namespace bench {

extern const kernel_description overhead_description;

outcome run_overhead(const parameters& p);

}  // namespace bench
