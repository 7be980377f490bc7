// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the common form of a reduction costs beside a call that is compiled for its scheduler: a binary tree of tasks,
// each of which computes for a number of steps, on every scheduler but `demand`, in both forms in turns in one process.
//
// usage: teff-bench-common-form [THREADS [TASKS [RUNS]]]      2, 200000, 9
// Prints a table of medians in nanoseconds of processor time per task. (The tasks of the first column compute nothing.)
#include <teff/reduce.hpp>
#include <teff/schedulers.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace {

// Tasks of 8 and of 32 bytes, and of a type that is moved by a function.
struct number {
    long value;
    long index() const { return value; }
};
struct four_words {
    long value = 0, more[3] = {};
    long index() const { return value; }
};
struct owner {
    long value;
    explicit owner(long of) : value(of) {}
    owner(owner&& from) noexcept : value(from.value) {}
    ~owner() { value = -1; }
    long index() const { return value; }
};

template <class Task>
struct tree {
    long size, steps;

    template <class Pool>
    long operator()(Pool& pool, Task task) const {
        const long index = task.index();
        for (long child = 2 * index + 1; child <= 2 * index + 2 && child < size; ++child)
            pool.enq(Task{child});
        unsigned long state = static_cast<unsigned long>(index) | 1;
        for (long i = 0; i < steps; ++i)
            asm volatile("imul $3, %0" : "+r"(state));
        return state != 0 ? 1 : 0;
    }
};

// Of the whole process: threads that wait for a processor do not count.
double processor_ns() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

template <class Choice, class Task>
double ns_per_task(const teff::options& call, tree<Task> body) {
    const double begin = processor_ns();
    if (teff::reduce_tasks<Choice>(call, body, Task{0}) != body.size)
        std::abort();
    return (processor_ns() - begin) / static_cast<double>(body.size);
}

double median(std::vector<double>& of) {
    std::sort(of.begin(), of.end());
    return of[of.size() / 2];
}

template <class Task>
void measure(const char* what, const teff::options& call, long tasks, int runs, long steps_of_100_ns) {
    std::printf("| %s | %s |", call.scheduler->data(), what);
    for (const long hundreds : {0L, 1L, 10L}) {
        const tree<Task> body{hundreds == 10 ? tasks / 4 : tasks, hundreds * steps_of_100_ns};
        std::vector<double> compiled, common;
        for (int run = 0; run < runs; ++run) {
            compiled.push_back(ns_per_task<teff::every_scheduler>(call, body));
            common.push_back(ns_per_task<teff::any_scheduler>(call, body));
        }
        const double one = median(compiled), other = median(common);
        std::printf(" %.1f | %.1f | %.3f |", one, other, other / one);
    }
    std::printf("\n");
    std::fflush(stdout);
}

// Calibrates the computation, by the fastest of several attempts.
long steps_in_100_ns() {
    double fastest = 1e9;
    for (int attempt = 0; attempt < 20; ++attempt) {
        const double begin = processor_ns();
        unsigned long state = 1;
        for (long i = 0; i < 100'000; ++i)
            asm volatile("imul $3, %0" : "+r"(state));
        fastest = std::min(fastest, (processor_ns() - begin) / 1e5);
    }
    return static_cast<long>(100 / fastest);
}

}  // namespace

int main(int count, char** arguments) {
    const auto argument = [&](int place, long otherwise) {
        return count > place ? std::atol(arguments[place]) : otherwise;
    };
    const long threads = argument(1, 2), tasks = argument(2, 200'000);
    const int runs = static_cast<int>(argument(3, 9));
    const long steps = steps_in_100_ns();
    std::printf("%ld threads, %ld tasks, %d runs, %ld steps are 100 ns\n\n", threads, tasks, runs, steps);
    std::printf("| scheduler | task | nothing: compiled | common | ratio | 100 ns: compiled | common | ratio | "
                "1 us: compiled | common | ratio |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (const teff::scheduler_traits& each : teff::schedulers()) {
        if (std::strcmp(each.name, "demand") == 0)
            continue;
        const teff::options call{.threads = threads, .scheduler = each.name};
        measure<number>("8 bytes", call, tasks, runs, steps);
        measure<four_words>("32 bytes", call, tasks, runs, steps);
        measure<owner>("moved by a function", call, tasks, runs, steps);
    }
}
