// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task program behind the micro-benchmarks of tasks: overhead, distribution, steal, queue_size, producers.
//
// A few first tasks, the sources, each create many tasks, which create no tasks themselves. Every task spins for a
// while. The five benchmarks differ only in where the sources are, how many tasks each creates and how long these
// take. So each runtime has one version here, <family>.cpp, which does the same work in all five:
//
//   openmp    thread i of a parallel region is source i; the other threads go to the region's end, where they run tasks
//   tbb       each source is a task of the group, and spawns its tasks into that group
//   teff      the sources are the first tasks of a reduction
//   serial    calls every task of one source after the other; this shows the cost of the tasks themselves
//
// Only OpenMP can bind a source to a thread. The other runtimes may run two sources on one worker, or move a source
// to another worker; that is their own choice.
//
// Tasks are numbered. The number of tasks that ran and the sum of their numbers are checked.
#pragma once

#include <bench/harness/delay.hpp>
#include <bench/harness/kernel.hpp>
#include <bench/harness/padded.hpp>
#include <bench/harness/random.hpp>
#include <bench/harness/worker_number.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bench {

struct work_done {
    std::uint64_t tasks = 0;
    std::uint64_t sum = 0;               // of the tasks' numbers

    work_done& operator+=(const work_done& other) {
        tasks += other.tasks;
        sum += other.sum;
        return *this;
    }
};

// The work of a task, which depends on its number.
struct task_load {
    std::uint64_t iterations = 0;        // of delay()
    std::uint64_t long_tasks = 0;        // the tasks with smaller numbers take long_iterations instead
    std::uint64_t long_iterations = 0;
    std::uint64_t dummy_bound = 0;       // above 0: dummy_loop() instead, random below this bound, from the number

    work_done run(std::uint64_t number) const {
        if (dummy_bound != 0)
            dummy_loop(seeded_random(number).below(dummy_bound));
        else
            delay(number < long_tasks ? long_iterations : iterations);
        return {1, number};
    }
};

// A first task: creates `count` tasks, numbered from `first` on.
struct task_source {
    std::uint64_t first;
    std::uint64_t count;
};

struct task_program {
    task_load load;
    std::vector<task_source> sources;    // at most one per thread
    bool counts_workers = false;         // reports tasks_by_worker in every family
    std::uint64_t capacity = 0;          // of family teff's queues, set by prepare_capacity(); 0: the default

    std::uint64_t tasks() const;
    // `sources` sources, at most one per thread, each with `tasks_each` tasks.
    static task_program equal_sources(std::uint64_t sources, std::uint64_t tasks_each, const task_load& load);
};

// Slots by worker number. Numbers beyond the slots share the last one; an addition lost there fails the verification.
class tasks_per_worker {
public:
    work_done& own() { return slots_[std::min(worker_number(), slots - 1)]; }
    work_done total() const { return slots_.total(); }
    // At least one element per requested thread; more if other threads took part.
    std::vector<double> tasks_by_worker(unsigned threads);

private:
    static constexpr unsigned slots = 4096 + 64;
    padded_partials<work_done> slots_{slots};
};

struct program_result {
    double seconds = 0;
    work_done done;
    std::vector<double> tasks_by_worker;
    std::uint64_t capacity = 0;          // the queues' real capacity; 0 where it cannot be chosen

    // Verified when every task of the program ran once.
    outcome checked(const task_program& program) const;
    double nanoseconds_per_task() const { return seconds * 1e9 / static_cast<double>(done.tasks); }
};

// Sets the environment variables by which this library's schedulers bound their queues: max_queued, and the option
// that a scheduler's row names as its bound. Other runtimes ignore them. Must be called before the library reads its
// environment, that is, before its first run.
void prepare_capacity(std::uint64_t capacity);

// Defined by the source of the runtime family.
program_result run_program(const parameters& p, const task_program& program);

// What the workers ran, and how far each is from an equal share (X-OpenMP, section 5.1): tasks_by_worker, delta and
// delta_mean, where the delta of a worker is |tasks - ideal| / ideal.
std::vector<measure> worker_measures(const program_result& found, unsigned threads);

// Runs a program that counts what each worker does; delay_ns: what a task asks for.
inline outcome checked_with_workers(const parameters& p, const task_program& program, std::uint64_t delay_ns) {
    const program_result found = run_program(p, program);
    outcome result = found.checked(program);
    result.measures = worker_measures(found, p.threads);
    result.measures.push_back({"delay_ns", measure::role::given, {static_cast<double>(delay_ns)}});
    return result;
}

// The variants of each family. Without threads, only some of the benchmarks are meaningful: they set `with_serial`.
std::vector<variant_description> program_variants(runtime_family family, bool with_serial);
inline std::vector<variant_description> variants_with_threads(runtime_family family) {
    return program_variants(family, false);
}
std::uint64_t program_memory_bytes(runtime_family family, const task_program& program);

}  // namespace bench
