// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frame of every oneTBB version: an arena of exactly the threads asked for; where tasks do not wait, one task_group
// in it and one wait at the end.
#pragma once

#include <bench/harness/padded.hpp>

#include <cstddef>

#include <tbb/global_control.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace bench {

// The arena of this process, which is asked for one number of threads only. The first call makes it; it stays, so that
// its threads are still there when the measured run follows the tiny one. global_control lifts oneTBB's own limit, the
// number of cores.
inline tbb::task_arena& process_arena(unsigned threads) {
    static tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    static tbb::task_arena arena(static_cast<int>(threads));
    return arena;
}

// Returns when start(group) and every task that was run in the group has ended.
template <class Start> void run_in_group(unsigned threads, const Start& start) {
    process_arena(threads).execute([&start] {
        tbb::task_group group;
        start(group);
        group.wait();
    });
}

// For tasks that wait for those that they created: returns when start() does.
template <class Start> void run_in_arena(unsigned threads, const Start& start) {
    process_arena(threads).execute([&start] { start(); });
}

// The slot of the calling thread.
template <class Value> Value& own_partial(padded_partials<Value>& partials) {
    return partials[static_cast<std::size_t>(tbb::this_task_arena::current_thread_index())];
}

// For recursions that are written once for every runtime (serial.hpp).
struct tbb_forks {
    template <class F, class G> static void both(const F& f, const G& g) { tbb::parallel_invoke(f, g); }

    template <class F> static void each(std::size_t count, const F& f) {
        tbb::task_group group;
        for (std::size_t index = 0; index < count; ++index) group.run([index, &f] { f(index); });
        group.wait();
    }
};

}  // namespace bench
