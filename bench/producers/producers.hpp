// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Producers and consumers (OMPi, section 4.1, Figs. 4 to 6): nprod threads create all tasks, the others only run
// them. A task is a dummy loop over a volatile variable, of a random length from 0 to maxload, so this measures the
// cost of creating, finding and running tasks. Variants: `one` producer, or `half` as many as there are threads.
//
// A size is maxload and the number of tasks, such as 128x100000. The length of a task is derived from its number, so
// it is the same in all runtimes and runs. In oneTBB and Teff the producers are ordinary tasks, so any thread may run
// one.
#pragma once

#include <bench/harness/kernel.hpp>

namespace bench {

}  // namespace bench
