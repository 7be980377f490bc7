// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// uts on many ranks: each node is a task.
#include <bench/mpi/program.hpp>

#include <bench/uts/uts.hpp>

namespace bench::mpi {

const program uts_program = {teff_runtime, uts_description, one_variant(), [](const run_settings& asked) {
    const uts::workload tree = uts::chosen(asked.run);
    uts::counts found;
    const double seconds = time_seconds([&] { found = reduced(asked, uts::body{tree.tree}, tree.tree.root()); });
    return uts::checked(tree, seconds, found);
}};

}  // namespace bench::mpi
