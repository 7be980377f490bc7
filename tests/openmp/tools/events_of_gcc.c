// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of GCC's code with a known number of events. The script events_of_gcc.sh compares what the tool has counted
// with the lines that begin with EVENTS; the names are those of checking_tool.cpp.
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static void expect(bool is_right, const char *what) {
    if (is_right)
        return;
    fprintf(stderr, "wrong: %s\n", what);
    exit(1);
}

// Regions in two halves, as GCC called them before version 4.9.
void GOMP_parallel_start(void (*)(void *), void *, unsigned);
void GOMP_parallel_loop_dynamic_start(void (*)(void *), void *, unsigned, long, long, long, long);
void GOMP_parallel_sections_start(void (*)(void *), void *, unsigned, unsigned);
void GOMP_parallel_end(void);
bool GOMP_loop_dynamic_next(long *, long *);
void GOMP_loop_end_nowait(void);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);

static atomic_int sum;

static void add_one(void *unused) {
    (void)unused;
    atomic_fetch_add(&sum, 1);
}
static void add_iterations(void *unused) {
    (void)unused;
    for (long first, end; GOMP_loop_dynamic_next(&first, &end);)
        atomic_fetch_add(&sum, (int)(end - first));
    GOMP_loop_end_nowait();
}
static void add_sections(void *unused) {
    (void)unused;
    while (GOMP_sections_next() != 0)
        atomic_fetch_add(&sum, 1);
    GOMP_sections_end_nowait();
}

// EVENTS regions_without_address 0
static void regions_in_halves(void) {
    GOMP_parallel_start(add_one, 0, 2);
    add_one(0);
    GOMP_parallel_end();
    GOMP_parallel_start(add_one, 0, 1);
    add_one(0);
    GOMP_parallel_end();
    expect(sum == 3, "regions in two halves");
    // EVENTS dispatch 13: 5 here, 4 in loops(), 4 in doacross()
    GOMP_parallel_loop_dynamic_start(add_iterations, 0, 2, 0, 5, 1, 1);
    add_iterations(0);
    GOMP_parallel_end();
    expect(sum == 8, "a loop in two halves");
    // EVENTS sections_begun 5: 3 here, 2 in loops()
    GOMP_parallel_sections_start(add_sections, 0, 2, 3);
    add_sections(0);
    GOMP_parallel_end();
    expect(sum == 11, "sections in two halves");
}

static void loops(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 4; i++)
            atomic_fetch_add(&sum, 1);
#pragma omp sections
        {
#pragma omp section
            atomic_fetch_add(&sum, 1);
#pragma omp section
            atomic_fetch_add(&sum, 1);
        }
    }
    expect(sum == 17, "loops");
}

// EVENTS dependences 13: 7 here, 6 in tasks()
static void doacross(void) {
    int line[5] = {0};
#pragma omp parallel for ordered(1) schedule(dynamic) num_threads(2)
    for (int i = 1; i < 5; i++) {
        // The first iteration waits for none.
#pragma omp ordered depend(sink : i - 1)
        line[i] = line[i - 1] + 1;
#pragma omp ordered depend(source)
    }
    expect(line[4] == 4, "doacross");
}

// EVENTS leagues 2
static void leagues(void) {
    int teams = 0;
#pragma omp target teams num_teams(3) map(tofrom : teams)
    __atomic_fetch_add(&teams, 1, __ATOMIC_RELAXED);
#pragma omp teams num_teams(2)
    __atomic_fetch_add(&teams, 1, __ATOMIC_RELAXED);
    expect(teams == 5, "teams");
}

// EVENTS untied_tasks 2
// EVENTS dependent_tasks 6: 5 tasks, and the wait before the undeferred one
static void tasks(void) {
    int x = 0;
#pragma omp task untied shared(x)
    x++;
#pragma omp task untied if (0) shared(x)
    x++;
#pragma omp task depend(out : x) shared(x)
    x++;
#pragma omp task depend(inout : x) shared(x)
    x++;
#pragma omp task depend(inout : x) if (0) shared(x)
    x++;
#pragma omp task depend(in : x) depend(mutexinoutset : sum) shared(x)
    expect(x == 5, "tasks");
#pragma omp taskwait depend(in : x)
}

// EVENTS barriers_of_constructs 6: of two threads, 4 in loops(), 2 at the end of the loop here
static void reductions(void) {
    int added = 0;
#pragma omp parallel num_threads(2) reduction(task, + : added)
    {
#pragma omp task in_reduction(+ : added)
        added++;
    }
    expect(added == 2, "a region with task reductions");
#pragma omp parallel num_threads(2)
    {
#pragma omp for reduction(task, + : added) schedule(static)
        for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+ : added)
            added++;
        }
    }
    expect(added == 6, "a loop with task reductions");
}

// EVENTS fulfilled 2001: each event once
static void events(void) {
    omp_event_handle_t own;
#pragma omp task detach(own)
    omp_fulfill_event(own);
#pragma omp taskwait
    // While the task's function returns, another thread fulfils its event.
    static _Atomic(omp_event_handle_t) handed;
    const omp_event_handle_t none = (omp_event_handle_t)0;
#pragma omp parallel num_threads(2)
    for (int round = 0; round < 2000; round++) {
        if (omp_get_thread_num() == 0) {
            omp_event_handle_t event;
#pragma omp task detach(event)
            atomic_store(&handed, event);
#pragma omp taskwait
        } else {
            omp_event_handle_t event;
            while ((event = atomic_exchange(&handed, none)) == none)
                sched_yield();
            omp_fulfill_event(event);
        }
    }
}

int main(void) {
    regions_in_halves();
    loops();
    doacross();
    leagues();
    tasks();
    reductions();
    events();
    return 0;
}
