// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's functions that show the graph of unfinished tasks: the successors of a task are those that wait for it, each
// of them once. A task without dependences is no node. Compilers: clang.
#include "expect.h"
#include <omp.h>
#include <stddef.h>
#include <stdint.h>

struct node;
struct edge {
    struct node *to;
    struct edge *next;
};
struct node {
    struct edge *successors;
};
struct item {
    intptr_t address;
    size_t length;
    unsigned char kind;
};
enum { tied = 1, in = 1, out = 2, exclusive = 4, set = 8 };

int __kmpc_global_thread_num(void *);
void *__kmpc_omp_task_alloc(void *, int, int, size_t, size_t, int (*)(int, void *));
int __kmpc_omp_task(void *, int, void *);
int __kmpc_omp_task_with_deps(void *, int, void *, int, struct item *, int, struct item *);
struct node *__kmpc_task_get_depnode(void *);
struct edge *__kmpc_task_get_successors(void *);

static int ran;
static int run(int number, void *task) {
    (void)number, (void)task;
#pragma omp atomic
    ran++;
    return 0;
}

static int x, y;
// Makes a task with these accesses to x and y; 0: none.
static void *make(unsigned char of_x, unsigned char of_y) {
    const int number = __kmpc_global_thread_num(NULL);
    void *const task = __kmpc_omp_task_alloc(NULL, number, tied, 40, 0, run);
    struct item items[2];
    int count = 0;
    if (of_x != 0)
        items[count++] = (struct item){(intptr_t)&x, sizeof x, of_x};
    if (of_y != 0)
        items[count++] = (struct item){(intptr_t)&y, sizeof y, of_y};
    __kmpc_omp_task_with_deps(NULL, number, task, count, items, 0, NULL);
    return task;
}

// Whether the successors of `task` are exactly those `count` tasks.
static int has_successors(void *task, int count, void **expected) {
    int found = 0;
    for (struct edge *each = __kmpc_task_get_successors(task); each != NULL; each = each->next) {
        int is_expected = 0;
        for (int i = 0; i < count; i++)
            is_expected += each->to == __kmpc_task_get_depnode(expected[i]);
        if (is_expected != 1)
            return 0;
        found++;
    }
    return found == count;
}
#define HAS_SUCCESSORS(task, ...)                                                                                      \
    has_successors(task, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *), (void *[]){__VA_ARGS__})

// Whether thread 1 takes no task, and whether thread 0 has seen the graph: the number of the look.
static int is_away, is_seen;
static void look_after(int look) {
    while (__atomic_load_n(&is_away, __ATOMIC_ACQUIRE) != look)
        ;
}
static void end_look(int look, int tasks) {
    __atomic_store_n(&is_seen, look, __ATOMIC_RELEASE);
#pragma omp taskwait
    EXPECT_EQUAL(ran, tasks);
}
static void be_away(int look) {
    __atomic_store_n(&is_away, look, __ATOMIC_RELEASE);
    while (__atomic_load_n(&is_seen, __ATOMIC_ACQUIRE) != look)
        ;
}

int main(void) {
    for (int round = 0; round < 20; round++) {
        ran = is_away = is_seen = 0;
        // The second thread takes no task until the graph has been read, so all of them are unfinished. Some schedulers
        // then leave tasks to it.
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() != 0) {
            be_away(1);
#pragma omp barrier
            be_away(2);
        } else {
            look_after(1);
            void *const writes = make(out, out), *const reads = make(in, in), *const reads_x = make(in, 0);
            void *const locks = make(0, exclusive), *const last = make(out, 0);
            EXPECT(HAS_SUCCESSORS(writes, reads, reads_x));
            EXPECT(HAS_SUCCESSORS(reads, locks, last));
            EXPECT(HAS_SUCCESSORS(reads_x, last));
            EXPECT(has_successors(locks, 0, NULL) && has_successors(last, 0, NULL));
            end_look(1, 5);
#pragma omp barrier

            look_after(2);
            void *const first = make(set, 0), *const second = make(set, set), *const after = make(in, in);
            EXPECT(HAS_SUCCESSORS(first, after));
            EXPECT(HAS_SUCCESSORS(second, after));
            end_look(2, 8);
        }
    }
    return expectations_failed;
}
