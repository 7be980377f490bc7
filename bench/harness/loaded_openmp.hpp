// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which OpenMP runtimes are in this process: the proof that a run used the library that it was meant for. The same
// program runs on several, chosen by the loader's search path alone, so nothing in the program itself could tell.
//
// A loaded object counts if it defines omp_get_max_threads, whatever its file is called. The file of the definition
// that the program's own calls reach is first; a second one means that calls may be split between two runtimes.
#pragma once

#include <string>
#include <vector>

namespace bench {

// Absolute paths, without symbolic links; empty if there is none.
std::vector<std::string> loaded_openmp();

}  // namespace bench
