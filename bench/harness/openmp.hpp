// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frame of every OpenMP version: a parallel region in which one thread creates the first tasks. The end of the
// region waits for all tasks; a taskgroup around them would only add a counter that every task has to update. No task
// pragma is placed inside a lambda: GCC would let the task refer to the captured variables in the lambda's own frame,
// which no longer exists when a task without waiting runs.
#pragma once

#include <bench/harness/padded.hpp>

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

// Forks for recursions that are written once for every runtime (serial.hpp). The parent waits for all its tasks, so
// they may refer to objects in its frame.
struct openmp_forks {
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
