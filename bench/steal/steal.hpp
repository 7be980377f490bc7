// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How well work spreads if one worker creates it all (X-OpenMP, section 5.1, Fig. 8): the master creates all tasks,
// and the other workers have to obtain them. The delta of a worker is |tasks - ideal| / ideal, where ideal is an
// equal share: 0 is perfect, and 1 is a worker that ran no task (or twice its share).
//
// A size is the length of a task in nanoseconds and the number of tasks, such as 100x65536.
#pragma once

#include <bench/harness/kernel.hpp>

namespace bench {

}  // namespace bench
