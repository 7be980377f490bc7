// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random task graphs with all kinds of dependences, by iterators: each task starts after all tasks of the generations
// before its own have ended, and tasks with mutexinoutset exclude each other. The graphs are planned before.
// Compilers: gcc, clang. (GCC 12 has no inoutset, so that it gets mutexinoutset there.)
#include "expect.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { tasks = 1500, objects = 12, most = 4, kinds = 4 };
enum { kind_in, kind_inout, kind_mutex, kind_set };
struct plan {
    int count[kinds];
    int object[kinds][most];
    int generation[kinds][most];
};
static struct plan plans[tasks];
static int sizes[objects][tasks + 2], done[objects][tasks + 2], held[objects], runs[tasks];
static char address[objects];

static void make_plans(unsigned seed) {
    memset(plans, 0, sizeof plans);
    memset(sizes, 0, sizeof sizes);
    memset(done, 0, sizeof done);
    memset(runs, 0, sizeof runs);
    int youngest[objects], generation[objects];
    for (int i = 0; i < objects; i++)
        youngest[i] = -1, generation[i] = 0;
    for (int i = 0; i < tasks; i++) {
        int used[objects] = {0};
        for (int n = rand_r(&seed) % (most + 1); n > 0; n--) {
            const int object = rand_r(&seed) % objects;
            if (used[object]++)
                continue;
            int kind = rand_r(&seed) % kinds;
#if !defined(__clang__)
            if (kind == kind_set)
                kind = kind_mutex;
#endif
            if (kind != youngest[object] || kind == kind_inout)
                generation[object]++;
            youngest[object] = kind;
            const int at = plans[i].count[kind]++;
            plans[i].object[kind][at] = object;
            plans[i].generation[kind][at] = generation[object];
            sizes[object][generation[object]]++;
        }
    }
}

static void run(int number) {
    const struct plan *own = &plans[number];
    for (int kind = 0; kind < kinds; kind++) {
        for (int i = 0; i < own->count[kind]; i++) {
            const int object = own->object[kind][i], generation = own->generation[kind][i];
            EXPECT_EQUAL(__atomic_load_n(&done[object][generation - 1], __ATOMIC_ACQUIRE),
                         sizes[object][generation - 1]);
            EXPECT_EQUAL(__atomic_load_n(&done[object][generation + 1], __ATOMIC_ACQUIRE), 0);
            if (kind == kind_mutex)
                EXPECT_EQUAL(__atomic_exchange_n(&held[object], 1, __ATOMIC_ACQ_REL), 0);
        }
    }
    __atomic_fetch_add(&runs[number], 1, __ATOMIC_RELAXED);
    for (volatile int i = 0; i < number % 50; i++) {
    }
    for (int kind = 0; kind < kinds; kind++) {
        for (int i = 0; i < own->count[kind]; i++) {
            if (kind == kind_mutex)
                __atomic_store_n(&held[own->object[kind][i]], 0, __ATOMIC_RELEASE);
            __atomic_fetch_add(&done[own->object[kind][i]][own->generation[kind][i]], 1, __ATOMIC_ACQ_REL);
        }
    }
}

int main(void) {
    for (unsigned seed = 1; seed <= 12; seed++) {
        make_plans(seed);
#pragma omp parallel
#pragma omp single
        for (int t = 0; t < tasks; t++) {
            const struct plan *p = &plans[t];
            // Some are undeferred.
            const int is_deferred = seed % 3 != 0 || t % 7 != 0;
#if defined(__clang__)
#pragma omp task firstprivate(t) if(is_deferred)                                                                       \
    depend(iterator(i = 0 : p->count[kind_in]), in : address[p->object[kind_in][i]])                                   \
    depend(iterator(i = 0 : p->count[kind_inout]), inout : address[p->object[kind_inout][i]])                          \
    depend(iterator(i = 0 : p->count[kind_mutex]), mutexinoutset : address[p->object[kind_mutex][i]])                  \
    depend(iterator(i = 0 : p->count[kind_set]), inoutset : address[p->object[kind_set][i]])
#else
#pragma omp task firstprivate(t) if(is_deferred)                                                                       \
    depend(iterator(i = 0 : p->count[kind_in]), in : address[p->object[kind_in][i]])                                   \
    depend(iterator(i = 0 : p->count[kind_inout]), inout : address[p->object[kind_inout][i]])                          \
    depend(iterator(i = 0 : p->count[kind_mutex]), mutexinoutset : address[p->object[kind_mutex][i]])
#endif
            run(t);
            if (t % 200 == 199) {
#pragma omp taskwait depend(in : address[0])
            }
        }
        for (int t = 0; t < tasks; t++)
            EXPECT_EQUAL(runs[t], 1);
        if (expectations_failed)
            return 1;
    }
    return expectations_failed;
}
