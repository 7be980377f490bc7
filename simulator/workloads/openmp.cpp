// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs with OpenMP's directives. GCC makes calls of the runtime of them, as in any program: those of gomp/ and api/
// in teff/frontends/openmp, which are compiled for the simulator, too.
#include <simulator/workloads/all.hpp>
#include <simulator/workloads/regions.hpp>

#include <omp.h>

#include <utility>
#include <vector>

namespace simulator {
namespace {

// The counts of each thread of a region.
class counts {
public:
    explicit counts(const request& wanted) : all_(wanted.threads) {}
    void add_one() noexcept { ++all_[static_cast<std::size_t>(omp_get_thread_num())].value; }
    // 0 if the threads have not counted that often each.
    std::uint64_t checked(long each) const noexcept {
        for (const own_count& one : all_)
            if (one.value != static_cast<std::uint64_t>(each))
                return 0;
        return static_cast<std::uint64_t>(each);
    }

private:
    std::vector<own_count> all_;
};

// Calls the function on one thread of a region, whose other threads run the tasks that it makes.
template <class F>
void run_on_one(const request& wanted, const F& function) {
#pragma omp parallel num_threads(threads_of(wanted))
#pragma omp single
    function();
}

// The time that a call of fib takes of its own, and the largest n that has no tasks.
constexpr double fib_ns = 2;
constexpr long fib_cutoff = 8;

struct fib_found {
    long value;
    std::uint64_t tasks;
};

long fib_value(long n) noexcept {
    long before = 0, value = 1;
    for (; n > 0; --n)
        before = std::exchange(value, before + value);
    return before;
}

fib_found fib(long n) {
    if (n <= fib_cutoff) {
        work_ns(fib_ns * static_cast<double>(2 * fib_value(n + 1) - 1));
        return {fib_value(n), 0};
    }
    work_ns(fib_ns);
    fib_found one, other;
#pragma omp task default(none) firstprivate(n) shared(one)
    one = fib(n - 1);
#pragma omp task default(none) firstprivate(n) shared(other)
    other = fib(n - 2);
#pragma omp taskwait
    return {one.value + other.value, one.tasks + other.tasks + 2};
}

// The number of ways to place the queens of the rows below, with tasks for all rows.
struct queens {
    std::uint32_t columns = 0, left = 0, right = 0;
    unsigned rows = 0;
};
struct queens_found {
    long solutions = 0;
    std::uint64_t boards = 1;
};

queens_found place_queens(const queens& above, unsigned size) {
    if (above.rows == size)
        return {1, 1};
    constexpr double first_ns = 60, queen_ns = 4;
    work_ns(first_ns + queen_ns * above.rows);
    queens_found parts[16];
    unsigned count = 0;
    for (std::uint32_t safe = ~(above.columns | above.left | above.right) & ((1U << size) - 1); safe != 0;
         safe &= safe - 1) {
        const std::uint32_t queen = safe & (~safe + 1);
        const queens next{above.columns | queen, (above.left | queen) << 1, (above.right | queen) >> 1,
                          above.rows + 1};
        queens_found& part = parts[count++];
#pragma omp task default(none) firstprivate(next, size) shared(part)
        part = place_queens(next, size);
    }
#pragma omp taskwait
    queens_found all;
    for (unsigned i = 0; i < count; ++i) {
        all.solutions += parts[i].solutions;
        all.boards += parts[i].boards;
    }
    return all;
}

}  // namespace

std::uint64_t run_openmp_parallel(const request& wanted) {
    counts seen(wanted);
    for (long i = 0; i < wanted.size; ++i) {
#pragma omp parallel num_threads(threads_of(wanted))
        seen.add_one();
    }
    return seen.checked(wanted.size);
}

std::uint64_t run_openmp_barrier(const request& wanted) {
    counts seen(wanted);
#pragma omp parallel num_threads(threads_of(wanted))
    for (long i = 0; i < wanted.size; ++i) {
        seen.add_one();
#pragma omp barrier
    }
    return seen.checked(wanted.size);
}

std::uint64_t run_openmp_reduction(const request& wanted) {
    long sum = 0;
    for (long i = 0; i < wanted.size; ++i) {
#pragma omp parallel num_threads(threads_of(wanted)) reduction(+ : sum)
        ++sum;
    }
    return sum == wanted.size * threads_of(wanted) ? static_cast<std::uint64_t>(wanted.size) : 0;
}

// One task at a time, while the other threads wait in the barrier at the end of the region.
std::uint64_t run_openmp_chain(const request& wanted) {
    constexpr double step_ns = 100;
    long done = 0;
    run_on_one(wanted, [&] {
        for (long i = 0; i < wanted.size; ++i) {
#pragma omp task default(none) shared(done)
            {
                work_ns(step_ns);
                ++done;
            }
#pragma omp taskwait
        }
    });
    return done == wanted.size ? static_cast<std::uint64_t>(done) : 0;
}

std::uint64_t run_openmp_fib(const request& wanted) {
    fib_found all{};
    run_on_one(wanted, [&] { all = fib(wanted.size); });
    return all.value == fib_value(wanted.size) ? all.tasks : 0;
}

std::uint64_t run_openmp_nqueens(const request& wanted) {
    constexpr long known[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680};
    queens_found all;
    run_on_one(wanted, [&] { all = place_queens({}, static_cast<unsigned>(wanted.size)); });
    return wanted.size < 12 && all.solutions == known[wanted.size] ? all.boards : 0;
}

}  // namespace simulator
