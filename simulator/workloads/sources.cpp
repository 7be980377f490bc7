// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The micro-benchmarks of X-OpenMP, section 5.1 (Figs. 6 to 9), and its Strassen (Fig. 10), with OpenMP's directives.
// In the first four, threads of a region make many tasks, which make none themselves.
//
// Strassen has the tasks of bench/strassen for the paper's matrix of 8192 rows. Its times are those of a core of 4
// operations per ns, divided by a number that is the same for all of them. So a task is shorter than a real one beside
// what the runtime costs. Matrices are not there: memory is left out.
#include <simulator/workloads/all.hpp>
#include <simulator/workloads/regions.hpp>

#include <omp.h>

#include <vector>

namespace simulator {
namespace {

// One thread also makes long tasks, before the others.
struct long_tasks {
    long count = 0;
    double ns = 0;
};

// The first threads of a region are the sources, which make so many tasks each.
std::uint64_t run_sources(const request& wanted, unsigned sources, double task_ns, const long_tasks& first = {}) {
    std::vector<own_count> ran_by(wanted.threads);
    own_count* const ran = ran_by.data();
#pragma omp parallel num_threads(threads_of(wanted))
    {
        const auto self = static_cast<unsigned>(omp_get_thread_num());
        const long longer = self == 0 ? first.count : 0;
        for (long i = 0; self < sources && i < longer + wanted.size; ++i) {
            const double ns = i < longer ? first.ns : task_ns;
#pragma omp task default(none) firstprivate(ns, ran)
            {
                work_ns(ns);
                ++ran[omp_get_thread_num()].value;
            }
        }
    }
    std::uint64_t all = 0;
    for (const own_count& each : ran_by)
        all += each.value;
    return all == static_cast<std::uint64_t>(first.count + sources * wanted.size) ? all : 0;
}

constexpr double rows_of_all = 8192;
constexpr double divisor = 512;
constexpr double operation_ns = 0.25 / divisor, factor_ns = 1.0 / divisor, combination_ns = 4.0 / divisor;

// The product of two matrices of so many rows. Returns the number of tasks below.
std::uint64_t multiply(double rows, double base) {
    if (rows <= base) {
        work_ns(2 * rows * rows * rows * operation_ns);
        return 0;
    }
    constexpr unsigned products = 7;
    const double half = rows / 2;
    std::uint64_t tasks[products];
    for (std::uint64_t& below : tasks) {
#pragma omp task default(none) firstprivate(half, base) shared(below)
        {
            work_ns(half * half * factor_ns);
            below = 1 + multiply(half, base);
        }
    }
#pragma omp taskwait
    work_ns(half * half * combination_ns);
    std::uint64_t all = 0;
    for (const std::uint64_t below : tasks)
        all += below;
    return all;
}

std::uint64_t expected_tasks(double rows, double base) {
    return rows <= base ? 0 : 7 * (1 + expected_tasks(rows / 2, base));
}

}  // namespace

std::uint64_t run_openmp_overhead(const request& wanted) { return run_sources(wanted, wanted.threads, 1); }
std::uint64_t run_openmp_distribution(const request& wanted) { return run_sources(wanted, wanted.threads, 100); }
std::uint64_t run_openmp_steal(const request& wanted) { return run_sources(wanted, 1, 100); }

// As in the paper, a long task takes 1.25 times as long as the short ones of a thread.
std::uint64_t run_openmp_queue_size(const request& wanted) {
    return run_sources(wanted, wanted.threads, 100,
                       {10L * threads_of(wanted), 125.0 * static_cast<double>(wanted.size)});
}

std::uint64_t run_openmp_strassen(const request& wanted) {
    const auto base = static_cast<double>(wanted.size);
    std::uint64_t tasks = 0;
#pragma omp parallel num_threads(threads_of(wanted))
#pragma omp single
    tasks = multiply(rows_of_all, base);
    return tasks == expected_tasks(rows_of_all, base) ? tasks : 0;
}

}  // namespace simulator
