// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `teff bench --timeline FOLDER` and `--graph FOLDER`: after the rounds, one more run of each configuration of Teff, in
// which the library records what its threads do (teff/timeline.hpp), or which tasks there are and what they depend on
// (teff/dataflow_graph.hpp). For each there are two files in the folder, named after the configuration: NAME.json as
// the library wrote it, and NAME.svg, the picture. The names of task graphs end with "-graph", so that one folder can
// have both.
#pragma once

#include <cli/bench/plan.hpp>
#include <cli/bench/settings.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

// Adds the records to the rows and writes the files. A run that goes wrong and a file that cannot be written are told
// on standard error.
void record_timelines(measurements& results, const plan& planned, const bench_settings& settings,
                      const catalogue& found);
void record_task_graphs(measurements& results, const plan& planned, const bench_settings& settings,
                        const catalogue& found);

// "fib quick nowait teff gcc demand, 2 threads" gives "fib-quick-nowait-teff-gcc-demand-2-threads".
[[nodiscard]] std::string file_stem(const std::string& text);

}  // namespace teff::cli
