// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frame of every OpenMP version: a parallel region in which one thread creates the first tasks. The end of the
// region waits for all tasks; a taskgroup around them would only add a counter that every task has to update. The
// pragma of a task never stands in a lambda: GCC would let the task refer to the captured variables in the lambda's own
// frame, which is gone when a task without waiting runs.
#pragma once

#include <bench/harness/padded.hpp>

#include <cstddef>

#include <omp.h>

namespace bench {

// Returns when start() and every task that came of it has ended.
template <class Start> void run_in_region(unsigned threads, const Start& start) {
#pragma omp parallel num_threads(static_cast<int>(threads)) default(none) shared(start)
    {
#pragma omp single nowait
        start();
    }
}

// The slot of the calling thread.
template <class Value> Value& own_partial(padded_partials<Value>& partials) {
    return partials[static_cast<std::size_t>(omp_get_thread_num())];
}

// For recursions that are written once for every runtime (serial.hpp): tasks, which are all waited for. So what they
// refer to is still there.
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
