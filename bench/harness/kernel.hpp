// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a benchmark kernel and the runner that executes it know of each other.
//
// A runner is one executable per task runtime and compiler. Its sources are harness/*.cpp, every <kernel>/<kernel>.cpp
// and, of each kernel, the one source of its runtime family: serial.cpp, teff.cpp, openmp.cpp or tbb.cpp. The build
// names the family by -DTEFF_BENCH_FAMILY=serial (or teff, openmp, tbb), which is an enumerator of runtime_family and
// nothing else.
//
// <kernel>.hpp holds what all versions share (task type, leaf computation, sizes), <kernel>.cpp the inputs, expected
// answers and the description; the source of the family defines exactly one function, `outcome run_<kernel>(const
// parameters&)`. The timed region of a run is the parallel computation on ready input; every answer is checked against
// one that was known before or computed by other means.
//
// Rejected: one library with all runtimes behind virtual functions. Two OpenMP runtimes cannot live in one process, and
// a runtime that has started its threads would disturb the next one measured.
#pragma once

#include <teff/schedulers.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench {

enum class runtime_family { serial, teff, openmp, tbb };

// What the command line asks of one run.
struct parameters {
    std::string size = "quick";          // "quick", "paper" or the kernel's own text; size.hpp reads it
    std::string variant;                 // one of the names that the description lists for this family
    unsigned threads = 1;
    long cutoff = -1;                    // -1: every call is a task
    std::string scheduler = teff::schedulers().front().name;   // family teff only
    std::string reclaimer = "epoch";     // family teff only
    std::string input;                   // file instead of the generated input; empty: none
    bool counters = false;               // report what the system counted for the run as well
    std::uint64_t pace = 0;              // iterations of delay() in a microsecond (delay.hpp); 0: not yet known
};

// What a micro-benchmark tells beside its time: a number that describes the work (the length of a task, say), one that
// the run found, or one per worker that it found.
struct measure {
    enum class role { given, found, by_worker };

    const char* name;
    role what;
    std::vector<double> values;          // exactly one unless by_worker
};

// What one run found out.
struct outcome {
    double seconds = 0;
    std::uint64_t tasks = 0;             // executed by the version without waiting; the same number from every variant
    std::string answer;
    std::string expected;
    bool verified = false;
    std::vector<measure> measures = {};
};

// A mistake of the user's: the runner prints the text after `teff-bench: ` and ends with status 2.
class usage_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct variant_description {
    const char* name;
    bool ratio;                          // false: its work depends on luck; shown without a ratio to serial
    unsigned least_threads = 1;          // with fewer it means nothing and is left out
};

struct micro_description;                // figure.hpp

struct kernel_description {
    const char* name;
    const char* quick;                   // the size that `quick` stands for; of a micro-benchmark: several, by commas
    const char* paper;                   // the size that `paper` stands for
    const char* tiny;                    // the size of the untimed run that starts the threads
    const char* check;                   // the size at which the tests run it on every runtime
    bool has_cutoff;
    bool has_input;
    // Of kind reduce or micro: the first is the default; none: no such version. Null: of kind fork_join alone.
    std::vector<variant_description> (*variants)(runtime_family);
    std::uint64_t (*memory_bytes)(const parameters&, runtime_family);   // an upper estimate, without the program itself
    const micro_description* micro = nullptr;   // null: not of kind micro
    void (*prepare)(const parameters&) = nullptr;   // the process, before its first run; null: nothing to do
    bool waits = false;                  // of kind fork_join, too: has the variants of waiting_variants()
};

// The variants of most kernels: serial recursion and stack, tasks that do not wait and, where with_wait, OpenMP tasks
// that do.
std::vector<variant_description> usual_variants(runtime_family family, bool with_wait);

// The variants of every kernel of kind fork_join: serial recursion, and tasks that wait for those that they created. A
// variant is the same in each kind that has it.
std::vector<variant_description> waiting_variants(runtime_family family);

// Of all kinds that the kernel is of, each once.
std::vector<variant_description> all_variants(const kernel_description& kernel, runtime_family family);

// Whether the run's queues may hold whole levels of the tree of tasks: those that are first in, first out. Queues that
// are last in, first out keep a few tasks per level and thread.
bool keeps_levels(const parameters& p, runtime_family family);

// An upper estimate of what a runtime needs for the queued ones of `tasks` tasks of `task_bytes` bytes each, and for
// itself. Of whole levels it is up to a third of all tasks, as was measured (uts, a tree that is wide and not deep).
std::uint64_t task_memory_bytes(const parameters& p, runtime_family family, std::uint64_t tasks,
                                std::size_t task_bytes);

// An exact answer: verified when both texts are equal.
outcome exact_outcome(double seconds, std::uint64_t tasks, std::string answer, std::string expected);

// An answer in floating point: verified when it is at most `tolerance` away from what was expected.
outcome near_outcome(double seconds, std::uint64_t tasks, double answer, double expected, double tolerance);

// Wall time of one call.
template <class Function> double time_seconds(Function&& function) {
    const auto start = std::chrono::steady_clock::now();
    std::forward<Function>(function)();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace bench

// Marks the recursive function of a serial version, so that it really calls: neither inlined into itself nor cloned,
// and no loop is made of its last call.
#if defined(__clang__)
#define TEFF_BENCH_RECURSIVE [[gnu::noinline, clang::disable_tail_calls]]
#else
#define TEFF_BENCH_RECURSIVE [[gnu::noinline, gnu::noclone, gnu::optimize("no-optimize-sibling-calls")]]
#endif
