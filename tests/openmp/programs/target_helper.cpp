// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// target nowait runs beside the team: the thread that has made the task goes on at once, also where it is alone. Such a
// task is ordered by depend, belongs to its taskgroup together with its own tasks, and copies and destroys objects. The
// end of the program waits for it. With a tool there are no helper threads. Compilers: clang.
#include "expect.h"
#include <atomic>
#include <cstdlib>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" int __kmpc_global_thread_num(void*);

static bool has_helpers() { return std::getenv("OMP_TOOL_LIBRARIES") == nullptr; }

// The task ends only after the thread that made it has gone on.
static void run_beside() {
    if (!has_helpers())
        return;
    std::atomic<int> goes_on{0}, ended{0};
#pragma omp target nowait map(tofrom : goes_on, ended)
    {
        while (goes_on == 0)
            usleep(10);
        ended = 1;
    }
    EXPECT_EQUAL(ended, 0);
    goes_on = 1;
#pragma omp taskwait
    EXPECT_EQUAL(ended, 1);
}

static void be_ordered() {
    for (int round = 0; round < 200; round++) {
        int value = 0;
#pragma omp task shared(value) depend(inout : value)
        value = value * 10 + 1;
#pragma omp target nowait map(tofrom : value) depend(inout : value)
        value = value * 10 + 2;
#pragma omp task shared(value) depend(inout : value)
        value = value * 10 + 3;
#pragma omp target nowait map(tofrom : value) depend(inout : value)
        value = value * 10 + 4;
#pragma omp taskwait
        EXPECT_EQUAL(value, 1234);
    }
}

static void be_an_initial_region() {
    int wrong = 0, threads = 0;
    omp_set_num_threads(3);
    const int level = omp_get_level();
#pragma omp target nowait map(tofrom : wrong, threads)
    {
        if (has_helpers())
            wrong += omp_get_level() != 0 || omp_get_thread_num() != 0 || omp_get_num_threads() != 1;
#pragma omp parallel reduction(+ : threads)
        threads += omp_get_num_threads() == 3;
    }
#pragma omp taskwait
    EXPECT_EQUAL(wrong, 0);
    if (has_helpers() || level == 0)
        EXPECT_EQUAL(threads, 3);
}

static void have_tasks_of_its_own() {
    int tasks = 0;
#pragma omp taskgroup
    for (int i = 0; i < 20; i++) {
#pragma omp target nowait map(tofrom : tasks)
        for (int j = 0; j < 20; j++) {
#pragma omp task shared(tasks)
#pragma omp atomic
            tasks++;
        }
    }
    EXPECT_EQUAL(tasks, 400);
}

struct counted {
    static inline std::atomic<int> alive{0};
    int value;
    explicit counted(int value_) : value(value_) { ++alive; }
    counted(const counted& other) : value(other.value) { ++alive; }
    ~counted() { --alive; }
};

static void copy_objects() {
    std::atomic<int> sum{0};
    {
        counted object(5);
        for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(object) shared(sum)
            sum += object.value;
#pragma omp target nowait firstprivate(object) map(tofrom : sum)
            sum += object.value;
        }
#pragma omp taskwait
    }
    EXPECT_EQUAL(sum, 500);
    EXPECT_EQUAL(counted::alive, 0);
}

// With cancellation, tasks that have not begun are dropped.
static void be_dropped() {
    for (int round = 0; round < 50; round++) {
        int before = 0, ran = 0;
#pragma omp taskgroup
        {
#pragma omp task depend(out : before) shared(before)
            usleep(100);
            for (int i = 0; i < 5; i++) {
#pragma omp target nowait map(tofrom : ran) depend(in : before)
#pragma omp atomic
                ran++;
            }
#pragma omp task
            {
#pragma omp cancel taskgroup
            }
        }
        EXPECT(ran >= 0 && ran <= 5);
    }
}

// A function that has such a task may be called by one, too. More of them wait than there are helpers.
[[gnu::noinline]] static void count_from_team(std::atomic<int>& made, std::atomic<int>& inner) {
#pragma omp parallel num_threads(2)
    {
        made++;
#pragma omp target nowait map(tofrom : inner)
        inner++;
    }
}
static void have_such_tasks_of_its_own() {
    for (int round = 0; round < 5; round++) {
        std::atomic<int> made{0}, inner{0};
        for (int i = 0; i < 20; i++) {
#pragma omp target nowait map(tofrom : made, inner)
            count_from_team(made, inner);
        }
#pragma omp taskwait
        EXPECT(made >= 20);
        EXPECT_EQUAL(inner, made.load());
    }
}

// Numbers of helpers, as a tracing library sees them.
static void have_numbers() {
    constexpr int last_helper = 8;
    for (int i = 0; has_helpers() && i < 20; i++) {
        int of_helper = -1, of_thread = -1;
#pragma omp target nowait map(tofrom : of_helper)
        of_helper = __kmpc_global_thread_num(nullptr);
#pragma omp task shared(of_thread)
        of_thread = __kmpc_global_thread_num(nullptr);
#pragma omp taskwait
        EXPECT(of_helper > 0 && of_helper <= last_helper);
        EXPECT(of_thread == 0 || of_thread > last_helper);
    }
}

static void use_everything() {
    have_numbers();
    run_beside();
    be_ordered();
    have_tasks_of_its_own();
    have_such_tasks_of_its_own();
    copy_objects();
    be_dropped();
    be_an_initial_region();
}

static std::atomic<int> last_has_ended{0};

int main() {
    std::atexit([] {
        if (last_has_ended == 0)
            _exit(3);
    });
    use_everything();
#pragma omp parallel
    {
        be_ordered();
#pragma omp single
        use_everything();
    }
    const pid_t child = fork();
    use_everything();
    if (child != 0) {
        int status = -1;
        EXPECT_EQUAL(waitpid(child, &status, 0), child);
        EXPECT_EQUAL(status, 0);
    }
#pragma omp target nowait
    {
        usleep(1000);
        last_has_ended = 1;
    }
    return expectations_failed;
}
