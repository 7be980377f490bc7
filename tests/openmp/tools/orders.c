// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What OpenMP puts in an order, one construct at a time, for Archer:   orders list | right NAME | racy NAME
// `right` has the order. In `racy` it is left out, and Archer must report a race, although the runtime may have made
// an order between the two accesses by the way. Both are repeated until two threads have made the accesses. Status 3:
// one thread has always made both.
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

// Not static: GCC would move accesses past calls of the runtime, which cannot reach static variables.
// Aligned: ThreadSanitizer remembers four accesses of eight bytes.
_Alignas(64) int value;
_Alignas(64) int other;

// relaxed, all: they must make no order.
static _Alignas(64) atomic_int by[2];
static void access_as(int which) { atomic_store_explicit(&by[which], 1 + omp_get_thread_num(), memory_order_relaxed); }
static int seen(int which) { return atomic_load_explicit(&by[which], memory_order_relaxed); }
static void await(int which) {
    while (seen(which) == 0)
        sched_yield();
}
static int were_two(void) { return seen(0) != 0 && seen(1) != 0 && seen(0) != seen(1); }
// For tasks, which one thread may run: whether to make them again.
static int again(int *turn) { return !were_two() && ++*turn < 3000; }

static void region(int racy) {
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        access_as(me);
        if (racy || me == 1)
            value++;
    }
    value++;
}

static void barrier(int racy) {
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        access_as(me);
        if (me == 0)
            value = 1;
        if (!racy) {
#pragma omp barrier
        }
        if (me == 1)
            value++;
    }
}

static void critical(int racy) {
#pragma omp parallel
    {
        access_as(omp_get_thread_num());
        if (racy)
            value++;
#pragma omp critical
        other++;
#pragma omp critical(named)
        if (!racy)
            value++;
    }
}

static void locks(int racy) {
    omp_lock_t lock;
    omp_nest_lock_t nest_lock;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
#pragma omp parallel
    {
        access_as(omp_get_thread_num());
        omp_set_lock(&lock);
        value++;
        omp_unset_lock(&lock);
        if (!racy) {
            omp_set_nest_lock(&nest_lock);
            omp_set_nest_lock(&nest_lock);
        }
        other++;
        if (!racy) {
            omp_unset_nest_lock(&nest_lock);
            omp_unset_nest_lock(&nest_lock);
        }
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest_lock);
}

static void ordered(int racy) {
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 2; i++) {
        access_as(i);
        if (racy)
            value++;
#pragma omp ordered
        if (!racy)
            value++;
    }
}

static void doacross(int racy) {
    int line[100] = {0};
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 1; i < 100; i++) {
        access_as(i & 1);
        if (!racy) {
#pragma omp ordered depend(sink : i - 1)
        }
        line[i] = line[i - 1] + 1;
#pragma omp ordered depend(source)
    }
}

static void single(int racy) {
#pragma omp parallel
    {
        access_as(omp_get_thread_num());
        if (racy) {
#pragma omp single nowait
            value = 1;
        } else {
#pragma omp single
            value = 1;
        }
        if (value == 2)
            other = 1;
    }
}

static void copyprivate(int racy) {
#pragma omp parallel
    {
        int mine = 0;
        access_as(omp_get_thread_num());
#pragma omp single copyprivate(mine)
        mine = ++value;
        if (racy)
            value += mine;
    }
}

static void sections(int racy) {
#pragma omp parallel sections
    {
#pragma omp section
        {
            access_as(0);
            value++;
            await(1);
        }
#pragma omp section
        {
            await(0);
            access_as(1);
            *(racy ? &value : &other) = 1;
        }
    }
}

static void reduction(int racy) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static, 1)
    for (int i = 0; i < 2; i++) {
        access_as(i);
        sum += i;
        if (racy)
            value += i;
    }
    value += sum;
}

static void taskwait(int racy) {
#pragma omp parallel
#pragma omp single
    for (int turn = 0; again(&turn);) {
#pragma omp task
        {
            access_as(0);
            value = 1;
        }
        if (!racy) {
#pragma omp taskwait
        }
        access_as(1);
        value++;
    }
}

static void write_in_nested_task(void) {
#pragma omp task
#pragma omp task
    {
        access_as(0);
        value = 1;
    }
}
static void taskgroup(int racy) {
#pragma omp parallel
#pragma omp single
    for (int turn = 0; again(&turn);) {
        if (racy) {
            write_in_nested_task();
        } else {
#pragma omp taskgroup
            write_in_nested_task();
        }
        access_as(1);
        value++;
    }
}

// A task is after what its maker has done before, and a region's end is after all tasks.
static void task(int racy) {
#pragma omp parallel
    {
#pragma omp single
        for (int turn = 0; again(&turn);) {
#pragma omp taskwait
            access_as(1);
            value = 1;
#pragma omp task
            {
                access_as(0);
                value++;
            }
            if (racy)
                value++;
        }
    }
    value++;
}

static void depend(int racy) {
    int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
    for (int turn = 0; again(&turn);) {
        int *const where = racy ? &y : &x;
        (void)where;
#pragma omp task depend(out : x)
        {
            access_as(0);
            value = 1;
        }
#pragma omp task depend(in : *where)
        {
            access_as(1);
            value++;
        }
    }
}

static void taskwait_depend(int racy) {
    int x = 0, y = 0;
    (void)x, (void)y;
#pragma omp parallel
#pragma omp single
    for (int turn = 0; again(&turn);) {
#pragma omp task depend(out : x)
        {
            if (!racy)
                access_as(0);
            value = 1;
        }
#pragma omp task depend(out : y)
        {
            if (racy)
                access_as(0);
            other = 1;
        }
#pragma omp taskwait depend(in : x)
        access_as(1);
        value++;
        if (racy)
            other++;
    }
}

static void mutexinoutset(int racy) {
    int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
    for (int turn = 0; again(&turn);) {
        int *const where = racy ? &y : &x;
        (void)where;
#pragma omp task depend(mutexinoutset : x)
        {
            access_as(0);
            value++;
        }
#pragma omp task depend(mutexinoutset : *where)
        {
            access_as(1);
            value++;
        }
    }
}

static void task_reduction(int racy) {
    int sum = 0;
#pragma omp parallel
#pragma omp single
    for (int turn = 0; again(&turn);)
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 2; i++) {
#pragma omp task in_reduction(+ : sum)
        {
            access_as(i);
            sum += i;
            if (racy)
                value++;
        }
    }
    value += sum;
}

// The threads' copies are combined at the end of the loop, by one of them.
static void shared_task_reduction(int racy) {
    int sum = 0;
#pragma omp parallel
    {
#pragma omp for reduction(task, + : sum) schedule(static, 1)
        for (int i = 0; i < 2; i++) {
            access_as(i);
#pragma omp task in_reduction(+ : sum)
            sum += i;
            if (racy)
                value++;
        }
    }
    value += sum;
}

static void taskloop(int racy) {
    int sum = 0;
#pragma omp parallel
#pragma omp single
    for (int turn = 0; again(&turn);)
#pragma omp taskloop grainsize(1) reduction(+ : sum)
    for (int i = 0; i < 2; i++) {
        access_as(i);
        sum += i;
        if (racy)
            value++;
    }
    value += sum;
}

// Tasks that have ended leave their memory to others, which are in no order with them.
static void memory_of_tasks(int racy) {
#pragma omp parallel
    {
        access_as(omp_get_thread_num());
        for (int i = 0; i < 200; i++) {
#pragma omp task firstprivate(i)
            {
                int sum = 0;
                for (int k = 0; k < i; k++)
                    sum += k;
                if (sum < 0)
                    other = 1;
                if (racy)
                    value++;
            }
        }
    }
}

static const struct {
    const char *name;
    void (*run)(int racy);
} orders[] = {
    {"region", region},
    {"barrier", barrier},
    {"critical", critical},
    {"locks", locks},
    {"ordered", ordered},
    {"doacross", doacross},
    {"single", single},
    {"copyprivate", copyprivate},
    {"sections", sections},
    {"reduction", reduction},
    {"task", task},
    {"taskwait", taskwait},
    {"taskgroup", taskgroup},
    {"depend", depend},
    {"taskwait_depend", taskwait_depend},
    {"mutexinoutset", mutexinoutset},
    {"task_reduction", task_reduction},
    {"shared_task_reduction", shared_task_reduction},
    {"taskloop", taskloop},
    {"memory_of_tasks", memory_of_tasks},
};

int main(int argc, char **argv) {
    enum { most_rounds = 100 };
    omp_set_num_threads(2);
    for (unsigned each = 0; each < sizeof orders / sizeof *orders; each++) {
        if (argc < 3) {
            puts(orders[each].name);
            continue;
        }
        if (strcmp(orders[each].name, argv[2]) != 0)
            continue;
        for (int round = 0, rounds_of_two = 0; round < most_rounds; round++) {
            value = other = 0;
            atomic_store_explicit(&by[0], 0, memory_order_relaxed);
            atomic_store_explicit(&by[1], 0, memory_order_relaxed);
            orders[each].run(strcmp(argv[1], "racy") == 0);
            if (were_two() && ++rounds_of_two == 3)
                return 0;
        }
        return 3;
    }
    return argc < 3 ? 0 : 2;
}
