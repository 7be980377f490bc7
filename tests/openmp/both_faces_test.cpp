// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both faces of Teff in one process, one inside the other: forks and fibers in regions and in OpenMP tasks, regions in
// forks and fibers, and exceptions of forks on the threads of a region. The two have different C++ libraries inside and
// share the core.
#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <atomic>
#include <dlfcn.h>
#include <omp.h>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace {

long fib_of_forks(int n) {
    if (n < 2)
        return n;
    const auto [a, b] = teff::fork_join([n] { return fib_of_forks(n - 1); }, [n] { return fib_of_forks(n - 2); });
    return a + b;
}

long fib_of_tasks(int n) {
    if (n < 2)
        return n;
    long a = 0, b = 0;
#pragma omp task shared(a)
    a = fib_of_tasks(n - 1);
#pragma omp task shared(b)
    b = fib_of_tasks(n - 2);
#pragma omp taskwait
    return a + b;
}

long fib_of_region(int n) {
    long result = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    result = fib_of_tasks(n);
    return result;
}

long forks_with_regions(int depth) {
    if (depth == 0)
        return fib_of_region(8);
    const auto [a, b] = teff::fork_join([depth] { return forks_with_regions(depth - 1); },
                                        [depth] { return forks_with_regions(depth - 1); });
    return a + b;
}

TEST(both_faces, the_openmp_runtime_is_teffs_own) {
    Dl_info found{};
    ASSERT_NE(::dladdr(reinterpret_cast<const void*>(&omp_get_num_threads), &found), 0);
    EXPECT_NE(std::string(found.dli_fname).find("/teff/libomp.so.5"), std::string::npos) << found.dli_fname;
}

TEST(both_faces, forks_run_in_regions_loops_and_tasks) {
    for (int round = 0; round < 20; ++round) {
        std::atomic<long> sum = 0;
#pragma omp parallel num_threads(4)
        {
            sum += fib_of_forks(15);
#pragma omp for
            for (int i = 0; i < 16; ++i)
                sum += fib_of_forks(10);
#pragma omp single
            for (int i = 0; i < 8; ++i) {
#pragma omp task
                sum += fib_of_forks(12);
            }
        }
        EXPECT_EQ(sum, 4 * 610 + 16 * 55 + 8 * 144);
    }
}

TEST(both_faces, regions_run_in_forks) {
    for (int round = 0; round < 20; ++round)
        EXPECT_EQ(forks_with_regions(3), 8 * 21);
}

TEST(both_faces, a_region_in_a_fork_is_an_outermost_one) {
    const auto level = [] {
        int found = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
        found = omp_get_level();
        return found;
    };
    const auto [a, b] = teff::fork_join(level, level);
    EXPECT_EQ(a, 1);
    EXPECT_EQ(b, 1);
}

TEST(both_faces, tasks_run_in_forks_of_a_region) {
    for (int round = 0; round < 20; ++round) {
        long sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
        {
            const auto [a, b] = teff::fork_join([] { return fib_of_tasks(10); }, [] { return fib_of_tasks(11); });
            sum = a + b;
        }
        EXPECT_EQ(sum, 55 + 89);
    }
}

TEST(both_faces, exceptions_of_forks_reach_their_callers_in_a_region) {
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> caught = 0;
#pragma omp parallel num_threads(3)
        {
            try {
                teff::fork_join([] { throw std::runtime_error("first"); }, [] { fib_of_forks(10); });
            } catch (const std::runtime_error&) {
                ++caught;
            }
            try {
                teff::execute({.threads = 2}, [] { teff::fork_join([] { fib_of_forks(8); }, [] { throw 5; }); });
            } catch (int) {
                ++caught;
            }
            try {
                teff::execute({.scheduler = "nonsense"}, [] {});
            } catch (const std::invalid_argument&) {
                ++caught;
            }
        }
        EXPECT_EQ(caught, 9);
    }
}

TEST(both_faces, regions_run_on_fibers) {
    for (int round = 0; round < 20; ++round) {
        std::atomic<long> sum = 0;
        teff::execute({.threads = 3}, [&] {
            teff::coforall(0, 8, [&](int i) {
                teff::this_fiber::yield();
                sum += fib_of_region(8);
                teff::this_fiber::yield();
                sum += i;
            });
        });
        EXPECT_EQ(sum, 8 * 21 + 28);
    }
}

// A fiber cannot be left inside of a region, so there a wait keeps its thread.
TEST(both_faces, regions_on_fibers_wait_for_other_fibers) {
    for (int round = 0; round < 20; ++round) {
        teff::sync_var<int> value;
        std::atomic<int> sum = 0;
        teff::execute({.threads = 2}, [&] {
            teff::fiber other([&] {
                teff::this_fiber::yield();
                value.write_ef(7);
            });
            teff::fiber region([&] {
#pragma omp parallel num_threads(2)
                sum += value.read_ff();
            });
            other.join();
            region.join();
        });
        EXPECT_EQ(sum, 14);
    }
}

TEST(both_faces, fibers_run_in_regions_and_tasks) {
    for (int round = 0; round < 20; ++round) {
        std::atomic<long> sum = 0;
#pragma omp parallel num_threads(3)
        {
            teff::sync_var<int> value;
            teff::fiber reader([&] { sum += value.read_fe(); });
            teff::fiber writer([&] { value.write_ef(1); });
            reader.join();
            writer.join();
#pragma omp single
            for (int i = 0; i < 8; ++i) {
#pragma omp task
                teff::coforall(0, 10, [&](int each) { sum += each; });
            }
        }
        EXPECT_EQ(sum, 3 + 8 * 45);
    }
}

}  // namespace
