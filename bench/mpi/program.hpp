// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface between a program on many ranks and main.cpp, which starts it on each rank.
//
// A program is a kernel of the runners in another version: the same tasks, sizes and expected answers, from the same
// header. So a row of `teff bench --kind mpi` on 4 ranks stands beside one of a single process that did the same work.
// A program belongs to a runtime: `teff-mpi`, reductions over tasks and dataflow on all ranks, or `mpi` and
// `starpu-mpi`, programs that use nothing of Teff. A new one is a source in this folder and a row in programs.inc.
#pragma once

#include <bench/harness/kernel.hpp>

#include <teff/mpi.hpp>
#include <teff/reduce.hpp>

#include <mpi.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bench::mpi {

inline constexpr const char* teff_runtime = "teff-mpi";
inline constexpr const char* plain_runtime = "mpi";
inline constexpr const char* starpu_runtime = "starpu-mpi";

// One run, from the command line. Texts refer to the arguments of the process.
struct run_settings {
    parameters run;
    teff::mpi::options options;         // chunk: as asked, or the library's own
    std::optional<long> chunk;          // as asked
    std::optional<long> poll_interval;  // plain MPI: nodes between two looks at the messages
    bool alone = false;                 // each rank calls teff::reduce_tasks by itself, to compare with
};

struct program {
    const char* runtime;
    const kernel_description& description;
    std::vector<variant_description> variants;  // the first is the default
    // Called by all ranks together. The outcome is that of all ranks; its time is this rank's.
    outcome (*run)(const run_settings&);
    int threads_level = MPI_THREAD_FUNNELED;  // what it needs of MPI
};

#define TEFF_MPI_PROGRAM(name) extern const program name##_program;
#include <bench/mpi/programs.inc>
#undef TEFF_MPI_PROGRAM

// The variants of programs whose tasks do not share a bound.
inline std::vector<variant_description> one_variant() { return {{"nowait", true}}; }

// The reduction that a program of teff-mpi measures.
template <class Body, class Task>
auto reduced(const run_settings& asked, const Body& body, const Task& first) {
    if (asked.alone)
        return teff::reduce_tasks(asked.options.on_rank(), body, first);
    return teff::mpi::reduce_tasks(MPI_COMM_WORLD, body, first, asked.options);
}

}  // namespace bench::mpi
