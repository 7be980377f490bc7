// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface between a benchmark kernel and the runner that executes it.
//
// A runner is one executable per task runtime and compiler. It is built from harness/*.cpp, every
// <kernel>/<kernel>.cpp and, for each kernel, the one source of its runtime family: serial.cpp, teff.cpp, openmp.cpp
// or tbb.cpp. The build names the family by -DTEFF_BENCH_FAMILY=serial (or teff, and so on); the value must be an
// enumerator of runtime_family. Kernels of the kinds dataflow and threads are written once for all families
// (dataflow/dataflow.hpp, threads/threads.hpp); starpu has only the first of these, boost_fiber only the second.
//
// <kernel>.hpp holds what all versions share: the task type, the computation of a leaf, the sizes. <kernel>.cpp holds
// the inputs, the expected answers and the description. The family's source defines exactly one function, `outcome
// run_<kernel>(const parameters&)`. The timed region of a run is the parallel computation, after its input has been
// prepared. Every answer is checked against one that was known before or that was computed by other means.
//
// Rejected: one library with all runtimes behind virtual functions. Two OpenMP runtimes cannot live in one process,
// and a runtime that has started its threads would disturb the next one that is measured.
#pragma once

#include <bench/harness/timed_region.hpp>

#include <teff/schedulers.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench {

enum class runtime_family { serial, teff, openmp, tbb, starpu, boost_fiber };

// The parameters of one run, from the command line.
struct parameters {
    std::string size = "quick";          // "quick", "paper" or a text in the kernel's own form; parsed by size.hpp
    std::string variant;                 // one of the names that the description lists for this family
    unsigned threads = 1;
    long cutoff = -1;                    // -1: every call is a task
    std::string scheduler = teff::schedulers().front().name;   // family teff only
    std::string tracker = "tickets";     // family teff only
    std::string reclaimer = "epoch";     // family teff only
    std::string input;                   // a file that replaces the generated input; empty: none
    bool counters = false;               // also report the operating system's counters for the run
    bool hardware_counters = false;      // also report the processor's counters for the timed region
    std::uint64_t pace = 0;              // iterations of delay() per microsecond (delay.hpp); 0: not measured yet
};

// A number that a micro-benchmark reports beside its time. `given` describes the work (for example the length of a
// task), `found` is a result of the run, and `by_worker` is a result with one value per worker.
struct measure {
    enum class role { given, found, by_worker };

    const char* name;
    role what;
    std::vector<double> values;          // exactly one unless by_worker
};

// The result of one run.
struct outcome {
    double seconds = 0;
    std::uint64_t tasks = 0;             // as executed by the version without waiting; equal for all variants
    std::string answer;
    std::string expected;
    bool verified = false;
    std::vector<measure> measures = {};
};

// A mistake of the user: the runner prints the text after `teff-bench: ` and exits with status 2.
class usage_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct variant_description {
    const char* name;
    bool ratio;                          // false: its work depends on timing, so it is shown without a ratio to serial
    unsigned least_threads = 1;          // left out with fewer threads, where it would be meaningless
    bool has_accesses = false;           // OpenMP: its tasks have `depend` clauses, so a tracker runs them
    bool own_threads = false;            // serial: it starts threads of the system, so it is the runtime pthread's
};

// The sizes of kinds openmp and mpi: lists with commas. In kind openmp the least runtime must not take the time that a
// large size costs the others; there `38@20` is size 38 with cut-off 20.
struct kind_sizes {
    const char* quick;
    const char* paper;
    bool has_cutoff = false;             // openmp: the versions that wait have a cut-off, whatever the others have
};

// What a kernel's names of sizes stand for; micro-benchmarks: sizes, with commas.
struct kernel_sizes {
    const char* quick;
    const char* paper;
    const char* tiny;                    // the untimed run that starts the threads
    const char* check;                   // the tests' runs on every runtime
};

struct micro_description;                // figure.hpp

struct kernel_description {
    const char* name;
    kernel_sizes sizes;
    bool has_cutoff = false;
    bool has_input = false;
    // The variants for the kinds reduce, micro, dataflow and threads. The first is the default; an empty list means
    // that the family has no version. Null: the kernel is of kind fork_join only.
    std::vector<variant_description> (*variants)(runtime_family) = nullptr;
    // An upper estimate, without the program itself.
    std::uint64_t (*memory_bytes)(const parameters&, runtime_family);
    const micro_description* micro = nullptr;   // has measures: of kind micro, dataflow or threads; null: of none
    void (*prepare)(const parameters&) = nullptr;   // prepares the process before its first run; null: nothing to do
    bool waits = false;                  // is also of kind fork_join, with the variants of waiting_variants()
    bool dataflow = false;               // of kind dataflow instead of micro
    bool threads = false;                // of kind threads instead, where it may have the name of another kernel
    // Is of kind openmp, too, with the variants of waiting_variants(); with measures: of kind openmp alone.
    std::optional<kind_sizes> openmp = {};
    // Is of kind mpi, too, with the variants that do not wait: what one process does beside many ranks (bench/mpi).
    std::optional<kind_sizes> mpi = {};
};

// The variants of most kernels. Serial: recursion and stack. The other families: tasks that do not wait. With
// `with_wait`, OpenMP also has tasks that wait.
std::vector<variant_description> usual_variants(runtime_family family, bool with_wait);

// The variants of every kernel of kind fork_join: serial recursion, or tasks that wait for the tasks that they
// created. A variant with the same name does the same in every kind.
std::vector<variant_description> waiting_variants(runtime_family family);

// The variants of a kernel of kind mpi: those of kind reduce that do not wait.
std::vector<variant_description> unwaiting_variants(const kernel_description& kernel, runtime_family family);

// The variants of all kinds that the kernel belongs to, each once.
std::vector<variant_description> all_variants(const kernel_description& kernel, runtime_family family);

// Whether the run's queues may hold whole levels of the task tree. First-in-first-out queues do. Last-in-first-out
// queues hold a few tasks per level and thread.
bool keeps_levels(const parameters& p, runtime_family family);

// An upper estimate of the memory that a runtime needs for itself and for its queued tasks, if there are `tasks`
// tasks of `task_bytes` bytes each. If the queues hold whole levels, up to a third of all tasks is queued at once, as
// measured with uts on a wide and shallow tree.
std::uint64_t task_memory_bytes(const parameters& p, runtime_family family, std::uint64_t tasks,
                                std::size_t task_bytes);

// An exact answer: verified when both texts are equal.
outcome exact_outcome(double seconds, std::uint64_t tasks, std::string answer, std::string expected);

// An answer in floating point: verified when it differs from the expected one by at most `tolerance`.
outcome near_outcome(double seconds, std::uint64_t tasks, double answer, double expected, double tolerance);

// Wall time of one call, which is the timed region of a run or one of several (timed_region.hpp).
template <class Function> double time_seconds(Function&& function) {
    const timed_region watched;
    const auto start = std::chrono::steady_clock::now();
    std::forward<Function>(function)();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// What every kernel defines: NAME_description, in its own source, and run_NAME(), in its family's.
#define TEFF_BENCH_KERNEL(name)                         \
    extern const kernel_description name##_description; \
    outcome run_##name(const parameters& p);
#define TEFF_BENCH_WAITING_KERNEL TEFF_BENCH_KERNEL
#include <bench/kernels.inc>
namespace threads {
#include <bench/threads/kernels.inc>
}
#undef TEFF_BENCH_WAITING_KERNEL
#undef TEFF_BENCH_KERNEL

// What a kernel does that is written once for all runtimes: times work(input) with a runtime's forks (serial.hpp), and
// checks the result with the kernel's checked().
template <class Forks, class Input, class Work>
outcome measured_with(const parameters& p, Input input, const Work& work) {
    const double seconds = time_seconds([&] { Forks::run(p, [&] { work(input); }); });
    return checked(input, seconds);
}

}  // namespace bench

// Marks the recursive function of a serial version, so that every call is really made: the function is neither
// inlined into itself nor cloned, and its last call is not turned into a loop.
#if defined(__clang__)
#define TEFF_BENCH_RECURSIVE [[gnu::noinline, clang::disable_tail_calls]]
#else
#define TEFF_BENCH_RECURSIVE [[gnu::noinline, gnu::noclone, gnu::optimize("no-optimize-sibling-calls")]]
#endif
