// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frame of every OpenMP version: a parallel region in which one thread creates the first tasks. The end of the
// region waits for all tasks; a taskgroup around them would only add a counter that every task has to update. No task
// pragma is placed inside a lambda: GCC would let the task refer to the captured variables in the lambda's own frame,
// which no longer exists when a task without waiting runs.
#pragma once

#include <bench/harness/padded.hpp>
#include <bench/harness/timed.hpp>

#include <cstddef>

#include <omp.h>

namespace bench {

// Returns when start() and all tasks that it created, directly or indirectly, have completed.
template <class Start> void run_in_region(unsigned threads, const Start& start) {
#pragma omp parallel num_threads(static_cast<int>(threads)) default(none) shared(start)
    {
#pragma omp single nowait
        start();
    }
}

// The calling thread's slot.
template <class Value> Value& own_partial(padded_partials<Value>& partials) {
    return partials[static_cast<std::size_t>(omp_get_thread_num())];
}

// For tasks that do not wait: start(partials) creates the first one, and each task adds to its thread's partial result.
template <class Result, class Start> timed<Result> summed_over_threads(const parameters& p, const Start& start) {
    padded_partials<Result> partials(p.threads);
    const double seconds = time_seconds([&] { run_in_region(p.threads, [&] { start(partials); }); });
    return {seconds, partials.total()};
}

// A task that does not wait. step(task, create) returns the task's part of the result, and calls create(child) for each
// of its children. The pragma is not in a lambda (see above).
template <class Result, class Task, class Step> struct spreading {
    const Step& step;
    padded_partials<Result>& partials;

    void create(const Task& child) const {
        const spreading* self = this;
#pragma omp task default(none) firstprivate(self, child)
        self->run(child);
    }

    void run(const Task& task) const {
        own_partial(partials) += step(task, [this](const Task& child) { create(child); });
    }
};

// The sum over `first` and all tasks below it.
template <class Result, class Task, class Step>
timed<Result> summed_over_tasks(const parameters& p, const Task& first, const Step& step) {
    padded_partials<Result> partials(p.threads);
    const spreading<Result, Task, Step> all{step, partials};
    const double seconds = time_seconds([&] { run_in_region(p.threads, [&] { all.run(first); }); });
    return {seconds, partials.total()};
}

// Forks for recursions that are written once for every runtime (serial.hpp). The parent waits for all its tasks, so
// they may refer to objects in its frame.
struct openmp_forks {
    template <class F> static void run(const parameters& p, const F& f) { run_in_region(p.threads, f); }

    template <class F, class G> static void both(const F& f, const G& g) {
#pragma omp task default(none) shared(f)
        f();
#pragma omp task default(none) shared(g)
        g();
#pragma omp taskwait
    }

    template <class F> static void each(std::size_t count, const F& f) {
        for (std::size_t index = 0; index < count; ++index) {
#pragma omp task default(none) firstprivate(index) shared(f)
            f(index);
        }
#pragma omp taskwait
    }
};

}  // namespace bench
