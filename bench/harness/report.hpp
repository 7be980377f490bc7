// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a runner writes to standard output: one line of JSON, which the command reads.
#pragma once

#include <bench/harness/command_line.hpp>
#include <bench/harness/kernels.hpp>

namespace bench {

// A JSON array with one element per kernel and kind: its variants and whether they have a ratio, its sizes, the
// options that it takes and, for a micro-benchmark, how it is run and shown (figure.hpp). Kernels without a variant
// in this family are left out.
std::string described(std::span<const kernel> kernels, runtime_family family);

// One element of such an array, of kind mpi: a kernel whose processes, the ranks, are started by mpirun (bench/mpi). It
// names its runtime and its compiler, which the file name of its program does not tell.
std::string described_on_ranks(const kernel_description& kernel, const std::vector<variant_description>& variants,
                               const std::string& runtime, const std::string& compiler);

// What one run needs: {"memory_bytes": ...}.
std::string described_run(const kernel& each, const parameters& run, runtime_family family);

// The result of a run, with its measures if it has any, its counters (a JSON object) unless that text is empty, and the
// OpenMP libraries in the process, unless there are none (loaded_openmp.hpp).
std::string reported(const std::string& kernel, const parameters& run, const outcome& result,
                     const std::string& counters, const std::vector<std::string>& libraries = {});

// Helpers of the above: a text as a JSON string, and the additional members of the description of a kernel with
// measures, of kind micro or dataflow.
std::string quoted(const std::string& text);
std::string described_micro(const micro_description& micro, const char* kind);

}  // namespace bench
