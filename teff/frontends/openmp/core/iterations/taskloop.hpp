// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the iterations of a taskloop are divided into tasks (OpenMP 5.1, section 2.12.2).
//
//   grainsize(g)           floor(n / g) tasks of g to 2g - 1 iterations, of equal size except by one
//   grainsize(strict: g)   tasks of g iterations, and one of the rest
//   num_tasks(t)           t tasks of equal size except by one; n tasks if n is less (strict changes nothing)
//   none                   several tasks for each thread, so that threads that begin late or are slow matter little.
//                          While no thread is idle a task is a call, so many tasks cost little.
#pragma once

#include <algorithm>
#include <cstdint>

namespace teff::openmp {

enum class division : unsigned char { none, grainsize, tasks };

struct taskloop_parts {
    std::uint64_t count;   // of tasks
    std::uint64_t size;    // iterations of a task
    std::uint64_t larger;  // the number of tasks, from the first on, with one iteration more
    std::uint64_t last;    // iterations of the last task

    std::uint64_t size_of(std::uint64_t task) const noexcept {
        return task + 1 == count ? last : size + (task < larger ? 1 : 0);
    }
};

// iterations, number: at least 1. threads: the number of threads that may run the tasks.
constexpr taskloop_parts divide(std::uint64_t iterations, division by, std::uint64_t number, bool is_strict,
                                unsigned threads) noexcept {
    constexpr std::uint64_t tasks_per_thread = 16;
    if (by == division::grainsize && is_strict) {
        const std::uint64_t count = (iterations - 1) / number + 1;
        return {count, number, 0, iterations - (count - 1) * number};
    }
    std::uint64_t count = number;
    if (by == division::grainsize)
        count = iterations / number;
    else if (by == division::none)
        count = threads == 1 ? 1 : threads * tasks_per_thread;
    count = std::clamp<std::uint64_t>(count, 1, iterations);
    const std::uint64_t size = iterations / count, larger = iterations % count;
    return {count, size, larger, size + (larger == count ? 1 : 0)};
}

}  // namespace teff::openmp
