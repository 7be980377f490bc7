// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's program with both faces of Teff: forks by its own interface, and an OpenMP region between them. It wants as
// many threads as it is started with in TEFF_NUM_THREADS. Exit status 0 if the region has the workers of the forks
// before it, and the forks after it have workers, too.
#include <teff/fork_join.hpp>
#include <teff/reduce.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <omp.h>
#include <thread>

long threads_of_process() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
}

// The first function waits for the second one, so this ends only if two threads take part.
void fork_for_two() {
    std::atomic<bool> has_begun = false;
    const auto wait = [&] {
        while (!has_begun)
            std::this_thread::yield();
    };
    teff::fork_join(wait, [&] { has_begun = true; });
}

// Without a team that stays open, as that of forks does.
long sum_of_powers(int threads) {
    const auto halve = [](auto& pool, long n) {
        for (; n > 1; n /= 2)
            pool.enq(n / 2);
        return 1L;
    };
    return teff::reduce_tasks({.threads = threads}, halve, 1000L);
}

int main() {
    const int wanted = std::atoi(std::getenv("TEFF_NUM_THREADS"));
    sum_of_powers(wanted);
    const long before = threads_of_process();

    int size = 0;
#pragma omp parallel num_threads(wanted)
#pragma omp single
    size = omp_get_num_threads();
    const long after = threads_of_process();
    std::printf("%d of %d threads\n", size, wanted);
    std::printf("the process had %ld threads before the region, and has %ld\n", before, after);

    fork_for_two();
#pragma omp parallel num_threads(2 * wanted)
#pragma omp single
    size += omp_get_num_threads();
    fork_for_two();
    return before == wanted && after == wanted && size == 3 * wanted ? 0 : 1;
}
