// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one program of tasks behind the micro-benchmarks of tasks: overhead, distribution, steal, queue_size, producers.
//
// Some first tasks, the sources, each create many tasks that create no further ones; every task spins for a while.
// Where the sources are, how many tasks each creates and how long these take is all in which the five differ. So each
// runtime has one version here, <family>.cpp, and certainly runs the same work in each of them:
//
//   openmp    thread i of a parallel region is source i; the others go to its end, where they run tasks
//   tbb       each source is a task of the group, into which it spawns
//   teff      the sources are the first tasks of a reduction
//   serial    one source after the other calls what the others would create; it shows what the tasks themselves cost
//
// Only OpenMP can say which thread is a source. The others may run two sources on one worker, or take a source away
// from where it was put: that is theirs to decide.
//
// Tasks are numbered. How many ran and the sum of their numbers are checked.
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

// What the task of a number does.
struct task_load {
    std::uint64_t iterations = 0;        // of delay()
    std::uint64_t long_tasks = 0;        // the first so many take long_iterations instead
    std::uint64_t long_iterations = 0;
    std::uint64_t dummy_bound = 0;       // above 0: less than so many of dummy_loop() instead, as the number draws it

    work_done run(std::uint64_t number) const {
        if (dummy_bound != 0)
            dummy_loop(seeded_random(number).below(dummy_bound));
        else
            delay(number < long_tasks ? long_iterations : iterations);
        return {1, number};
    }
};

// A first task: it creates those with the numbers from first on.
struct task_source {
    std::uint64_t first;
    std::uint64_t count;
};

struct task_program {
    task_load load;
    std::vector<task_source> sources;    // at most one per thread
    bool counts_workers = false;         // tells tasks_by_worker in every family
    std::uint64_t capacity = 0;          // of the queues, which family teff has from prepare_capacity(); 0: as they are

    std::uint64_t tasks() const;
    // As many sources as there are threads or fewer, each with so many tasks.
    static task_program equal_sources(std::uint64_t sources, std::uint64_t tasks_each, const task_load& load);
};

// By the number of the worker. Numbers beyond the slots share the last one; a lost addition would not be verified.
class tasks_per_worker {
public:
    work_done& own() { return slots_[std::min(worker_number(), slots - 1)]; }
    work_done total() const { return slots_.total(); }
    // At least one per thread that was asked for; more when others took part.
    std::vector<double> tasks_by_worker(unsigned threads);

private:
    static constexpr unsigned slots = 4096 + 64;
    padded_partials<work_done> slots_{slots};
};

struct program_result {
    double seconds = 0;
    work_done done;
    std::vector<double> tasks_by_worker;
    std::uint64_t capacity = 0;          // what the run really had; 0 where it cannot be chosen

    // Verified when every task of the program ran once.
    outcome checked(const task_program& program) const;
    double nanoseconds_per_task() const { return seconds * 1e9 / static_cast<double>(done.tasks); }
};

// Sets the variables by which this library's schedulers bound their queues: max_queued, and the one that a row
// names as its bound.
// (Other runtimes do not see them.) Must come before the library reads its environment, that is, before its first run.
void prepare_capacity(std::uint64_t capacity);

// Defined by the runtime's family.
program_result run_program(const parameters& p, const task_program& program);

// What the workers ran, and how far each is from an equal share (X-OpenMP, section 5.1): tasks_by_worker, delta and
// delta_mean, where delta of a worker is |tasks - ideal| / ideal.
std::vector<measure> worker_measures(const program_result& found, unsigned threads);

// Which families have the program. Only in some of the benchmarks it means something without threads.
std::vector<variant_description> program_variants(runtime_family family, bool with_serial);
std::uint64_t program_memory_bytes(runtime_family family, const task_program& program);

}  // namespace bench
