// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runners that exist, and what each of them can run.
//
// A runner is one executable per runtime and compiler, `teff-bench-RUNTIME-COMPILER`, beside this program (in a build
// folder) or in ../libexec/teff (in an installation). With --describe it says what it can do, so a new kernel needs no
// change here. The runtime `libiomp5` is the runner of `libomp` with another library under the same file name: the
// library's folder (TEFF_BENCH_LIBIOMP5, or peers/lib beside or above the build) is put first in LD_LIBRARY_PATH. The
// runtime `pthread` is the runner of `serial`, for what uses the system's threads and no task runtime. The
// runtime `teff-omp` is Teff's OpenMP runtime, in the same way: the runners of `libgomp` and of `libomp`, with the
// folder lib/teff of the build or of the installation, which holds a library of either name.
//
// Two runtimes run on several ranks: `teff-mpi`, and `mpi`, programs with nothing of Teff. One program has both,
// `teff-mpi-bench`. It describes itself as the others do, but its runs are started by `mpirun`, or `mpiexec`, which is
// the first in PATH.
//
// A search path is a wish, not a fact: every run tells which OpenMP library it used, and only the wanted one counts
// (single_run.hpp).
//
// A runtime none of whose runners starts is listed as missing, with the reason; that is a skip, not an error.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <cli/bench/child_process.hpp>
#include <cli/report/presentation.hpp>

namespace teff::cli {

struct variant_entry {
    std::string name;
    bool has_ratio = true;  // false: the work depends on luck, so a ratio would be meaningless
    unsigned least_threads = 1;
    bool has_accesses = false;  // a tracker runs its tasks
    bool own_threads = false;   // it uses the system's threads; in the runner of serial: it belongs to runtime pthread
};

// A kernel that belongs to two kinds has two entries, each with the variants of its kind.
struct kernel_entry {
    std::string name;
    std::string kind = "reduce";
    std::vector<variant_entry> variants;
    std::map<std::string, std::string> sizes;  // the sizes named "quick" and "paper"
    bool takes_cutoff = false;
    bool takes_input = false;
    // Kernels with measures only; bench/harness/figure.hpp says what they mean.
    bool variants_differ = false;
    bool by_threads = false;
    bool own_threads = false;
    bool is_paced = false;
    std::string compared;  // the measure whose ratios are formed; empty: the time
    presentation shown;
};

struct runner {
    std::filesystem::path program;
    std::string runtime;
    std::string compiler;
    std::vector<std::pair<std::string, std::string>> environment;  // in addition to what every runner gets
    std::vector<kernel_entry> kernels;
    // The OpenMP library that each run must use; empty: the system's, that is, any but `other_libraries`.
    std::filesystem::path library;
    std::vector<std::filesystem::path> other_libraries;
    // What starts it on several ranks; empty: nothing, it is one process.
    std::filesystem::path mpirun = {};
};

struct missing_runtime {
    std::string runtime;
    std::string reason;
};

struct catalogue {
    std::vector<runner> runners;
    std::vector<missing_runtime> missing;

    // Every kernel of that kind that at least one runner knows, in the order in which the runners name them.
    [[nodiscard]] std::vector<std::string> kernel_names(const std::string& kind) const;
    [[nodiscard]] presentations all_presentations() const;
};

struct runtime_kind {
    const char* name;
    const char* runner_runtime;  // the runtime's part of the runner's file name ...
    const char* remedy;
    const char* clang_runtime = nullptr;  // ... and in that of the runner for Clang; null: the same
    bool in_openmp = false;               // whether `all` includes it in kind openmp
    const char* only_in = nullptr;        // if set, `all` includes it in this kind only
    bool in_mpi = false;                  // whether `all` includes it in kind mpi

    // Whether its runs have several ranks.
    [[nodiscard]] constexpr bool has_ranks() const { return only_in != nullptr && std::string_view{only_in} == "mpi"; }
    [[nodiscard]] std::string runner_name(const std::string& compiler) const;
};

// Every runtime that can be compared, in the order of the tables.
inline constexpr runtime_kind runtime_kinds[] = {
    {"serial", "serial", "build the target teff-bench-serial-gcc", nullptr, true, nullptr, true},
    {"pthread", "serial", "build the target teff-bench-serial-gcc"},
    {"teff", "teff", "build the target teff-bench-teff-gcc", nullptr, false, nullptr, true},
    {"teff-mpi", "mpi", "run `make mpi`", nullptr, false, "mpi", true},
    {"mpi", "mpi", "run `make mpi`", nullptr, false, "mpi", true},
    {"starpu-mpi", "mpi", "run `make mpi`", nullptr, false, "mpi", true},
    {"libgomp", "libgomp", "build with GCC and its OpenMP", nullptr, true, nullptr, true},
    {"libomp", "libomp", "install clang-19 and libomp-19-dev, then configure and build again", nullptr, true},
    {"libiomp5", "libomp", "run `make peers`, or let TEFF_BENCH_LIBIOMP5 name a folder that holds libomp.so.5",
     nullptr, true},
    {"teff-omp", "libgomp", "build the target teff_openmp", "libomp", true, "openmp"},
    {"tbb", "tbb", "install libtbb-dev, then configure and build again"},
    {"boost-fiber", "boost-fiber", "install libboost-fiber-dev, then configure and build again", nullptr, false,
     "threads"},
    {"go", "go", "install golang-go, then run `make peers`", nullptr, false, "threads"},
    {"starpu", "starpu", "install libstarpu-dev, then configure and build again"},
};

inline constexpr const char* compiler_names[] = {"gcc", "clang", "go"};

// The folders to search, relative to the folder of this program.
struct runner_folders {
    std::vector<std::filesystem::path> runners;
    std::vector<std::filesystem::path> libiomp5;
    std::vector<std::filesystem::path> teff_openmp;

    [[nodiscard]] static runner_folders beside_this_program();
};

// The program of that name in the first of the folders that has one.
[[nodiscard]] std::optional<std::filesystem::path> find_program(const std::vector<std::filesystem::path>& folders,
                                                                const std::string& name);

// Asks every runner of the given runtimes and compilers what it can run.
[[nodiscard]] catalogue find_runners(const runner_folders& folders, const std::vector<std::string>& runtimes,
                                     const std::vector<std::string>& compilers);

// Common to all child processes that run a runner: arguments, environment variables, limit.
[[nodiscard]] child_request request_for(const runner& runner, std::vector<std::string> arguments,
                                        double limit_seconds);

// The limit for a runner that only describes itself.
inline constexpr double describe_limit_seconds = 30;

}  // namespace teff::cli
