// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The overhead that a runtime adds to a task of a given length (X-OpenMP, section 5.1, Fig. 6): each worker creates
// its share of tasks that take 1 ns to 1 us. The overhead per task is the time of all workers minus the time that the
// tasks should take, divided by the number of tasks.
//
// A size is the length in nanoseconds and the number of tasks per worker, such as 100x20000. The cost of counting and
// calling the tasks is part of the overhead, equally for all runtimes; the row of runtime serial shows that cost.
#pragma once

#include <bench/harness/kernel.hpp>

namespace bench {

}  // namespace bench
