// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frame of every oneTBB version: an arena with exactly the requested number of threads. Versions whose tasks do
// not wait use one task_group in it and one wait at the end.
#pragma once

#include <bench/harness/padded.hpp>
#include <bench/harness/timed.hpp>

#include <cstddef>

#include <tbb/global_control.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace bench {

// The arena of this process. A process uses only one number of threads. The first call creates the arena; it is kept,
// so that its threads still exist when the measured run follows the tiny one. global_control raises oneTBB's own
// limit on threads, which is the number of cores.
inline tbb::task_arena& process_arena(unsigned threads) {
    static tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    static tbb::task_arena arena(static_cast<int>(threads));
    return arena;
}

// Returns when start(group) and every task that was run in the group have completed.
template <class Start> void run_in_group(unsigned threads, const Start& start) {
    process_arena(threads).execute([&start] {
        tbb::task_group group;
        start(group);
        group.wait();
    });
}

// For tasks that wait for the tasks that they created: returns when start() returns.
template <class Start> void run_in_arena(unsigned threads, const Start& start) {
    process_arena(threads).execute([&start] { start(); });
}

// The calling thread's slot.
template <class Value> Value& own_partial(padded_partials<Value>& partials) {
    return partials[static_cast<std::size_t>(tbb::this_task_arena::current_thread_index())];
}

// For tasks that do not wait: start(group, partials) runs the first one in the group, and each task adds to its
// thread's partial result.
template <class Result, class Start> timed<Result> summed_over_threads(const parameters& p, const Start& start) {
    padded_partials<Result> partials(p.threads);
    const double seconds =
        time_seconds([&] { run_in_group(p.threads, [&](tbb::task_group& group) { start(group, partials); }); });
    return {seconds, partials.total()};
}

// A task that does not wait. step(task, create) returns the task's part of the result, and calls create(child) for each
// of its children.
template <class Result, class Task, class Step> struct spreading {
    const Step& step;
    padded_partials<Result>& partials;

    void run(tbb::task_group& group, const Task& task) const {
        own_partial(partials) += step(task, [this, &group](const Task& child) {
            group.run([this, &group, child] { run(group, child); });
        });
    }
};

// The sum over `first` and all tasks below it.
template <class Result, class Task, class Step>
timed<Result> summed_over_tasks(const parameters& p, const Task& first, const Step& step) {
    padded_partials<Result> partials(p.threads);
    const spreading<Result, Task, Step> all{step, partials};
    const double seconds =
        time_seconds([&] { run_in_group(p.threads, [&](tbb::task_group& group) { all.run(group, first); }); });
    return {seconds, partials.total()};
}

// Forks for recursions that are written once for every runtime (serial.hpp).
struct tbb_forks {
    template <class F> static void run(const parameters& p, const F& f) { run_in_arena(p.threads, f); }

    template <class F, class G> static void both(const F& f, const G& g) { tbb::parallel_invoke(f, g); }

    template <class F> static void each(std::size_t count, const F& f) {
        tbb::task_group group;
        for (std::size_t index = 0; index < count; ++index) group.run([index, &f] { f(index); });
        group.wait();
    }
};

}  // namespace bench
