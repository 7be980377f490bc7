/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The calls of Chapel's tasking layer, in its order: a thread of its own begins and ends the library, the main thread
 * starts the first task and waits for it without being a qthread, tasks start others on all shepherds, and a thread for
 * communication starts tasks, too. Exits with the number of checks that have failed.
 */
#define _GNU_SOURCE
#include <qthread/qthread.h>
#include <qthread/qtimer.h>

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { stack_bytes = 128 * 1024, tasks = 64, rounds = 200, name_bytes = 24 };

/* What a task keeps for itself, and what the task that starts it passes on. */
typedef struct own_data {
    struct bundle *bundle;
    char rest[200];
} own_data;

typedef struct bundle {
    void (*function)(struct bundle *);
    aligned_t number;
    qthread_shepherd_id_t wanted;  /* NO_SHEPHERD: any */
    void *data;
    char name[name_bytes];
} bundle;

/* A variable that is full or empty, as Chapel's `sync`. */
typedef struct sync_variable {
    aligned_t lock, signal_full, signal_empty;
    int is_full;
    long value;
} sync_variable;

static void wait_and_lock(sync_variable *variable, int wanted) {
    aligned_t *signal = wanted ? &variable->signal_full : &variable->signal_empty;
    qthread_lock(&variable->lock);
    while (variable->is_full != wanted) {
        qthread_unlock(&variable->lock);
        qthread_readFE(NULL, signal);
        qthread_lock(&variable->lock);
    }
}
static void mark_and_unlock(sync_variable *variable, int is_full) {
    qthread_fill(is_full ? &variable->signal_full : &variable->signal_empty);
    variable->is_full = is_full;
    qthread_unlock(&variable->lock);
}
static void write_when_empty(sync_variable *variable, long value) {
    wait_and_lock(variable, 0);
    variable->value = value;
    mark_and_unlock(variable, 1);
}
static long read_when_full(sync_variable *variable) {
    wait_and_lock(variable, 1);
    const long value = variable->value;
    mark_and_unlock(variable, 0);
    return value;
}

static aligned_t next_number = 1, exited = 0, may_end = 0;
static int begun = 0;

static aligned_t run_task(void *argument) {
    bundle *mine = argument;
    own_data *own = qthread_get_tasklocal(sizeof(own_data));
    CHECK(own != NULL);
    memset(own, 0, sizeof *own);
    own->bundle = mine;
    if (mine->number == 0)
        mine->number = qthread_incr(&next_number, 1);
    CHECK(mine->wanted == NO_SHEPHERD || qthread_shep() == mine->wanted);
    /* To where it is: from now on the task stays there. */
    qthread_migrate_to(qthread_shep());
    const qthread_shepherd_id_t here = qthread_shep();
    mine->function(mine);
    CHECK(qthread_shep() == here);
    CHECK(((own_data *)qthread_get_tasklocal(sizeof(own_data)))->bundle == mine);
    return 0;
}

static void start(void (*function)(bundle *), void *data, const char *name, qthread_shepherd_id_t where) {
    bundle made = {.function = function, .wanted = where, .data = data};
    strncpy(made.name, name, sizeof made.name - 1);
    const int code = where == NO_SHEPHERD ? qthread_fork_copyargs(run_task, &made, sizeof made, NULL)
                                          : qthread_fork_copyargs_to(run_task, &made, sizeof made, NULL, where);
    CHECK(code == QTHREAD_SUCCESS);
    memset(&made, -1, sizeof made);
}

/* How the task that has started others waits for them. */
typedef struct end_count {
    aligned_t running;
    sync_variable ended;
    aligned_t sum;
} end_count;

static void leave(end_count *of) {
    if (qthread_incr(&of->running, (aligned_t)-1) == 1)
        write_when_empty(&of->ended, 1);
}
static void add_number(bundle *mine) {
    end_count *of = mine->data;
    CHECK(strcmp(mine->name, "add") == 0);
    for (int i = 0; i < 3; ++i)
        qthread_yield();
    qthread_incr(&of->sum, 1);
    leave(of);
}
static void start_all(qthread_shepherd_id_t sheps) {
    end_count of = {.running = tasks + 1};
    for (int i = 0; i < tasks; ++i)
        start(add_number, &of, "add", i % 2 ? NO_SHEPHERD : (qthread_shepherd_id_t)(i / 2 % sheps));
    leave(&of);
    CHECK(read_when_full(&of.ended) == 1);
    CHECK(of.sum == tasks);
}

typedef struct pipe {
    sync_variable there, back;
} pipe;
static void echo(bundle *mine) {
    pipe *with = mine->data;
    for (int i = 0; i < rounds; ++i)
        write_when_empty(&with->back, read_when_full(&with->there) + 1);
}

static void sleep_for(double seconds) {
    qtimer_t timer = qtimer_create();
    qtimer_start(timer);
    do {
        qthread_yield();
        qtimer_stop(timer);
    } while (qtimer_secs(timer) < seconds);
    qtimer_destroy(timer);
}

static void count_down(bundle *mine) { leave(mine->data); }

/* A thread that is no qthread, starts tasks for other machines, and polls. */
static void *communicate(void *argument) {
    end_count *of = argument;
    CHECK(qthread_shep() == NO_SHEPHERD);
    CHECK(qthread_get_tasklocal(sizeof(own_data)) == NULL);
    for (int i = 0; i < tasks; ++i) {
        start(count_down, of, "on", (qthread_shepherd_id_t)(i % qthread_num_shepherds()));
        sched_yield();
    }
    return NULL;
}

static void main_task(bundle *mine) {
    const qthread_shepherd_id_t sheps = qthread_num_shepherds();
    CHECK(mine->number == 1 && strcmp(mine->name, "main") == 0);
    CHECK(qthread_num_workers() >= sheps);
    CHECK(qthread_readstate(STACK_SIZE) == stack_bytes);
    for (int i = 0; i < 20; ++i)
        start_all(sheps);

    pipe with = {0};
    start(echo, &with, "echo", NO_SHEPHERD);
    for (long i = 0; i < rounds; ++i) {
        write_when_empty(&with.there, i);
        CHECK(read_when_full(&with.back) == i + 1);
    }

    end_count of = {.running = tasks};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, communicate, &of) == 0);
    CHECK(read_when_full(&of.ended) == 1);
    CHECK(pthread_join(thread, NULL) == 0);
    sleep_for(0.01);
}

static void *begin_and_end(void *unused) {
    CHECK(qthread_initialize() == QTHREAD_SUCCESS);
    qthread_purge(&may_end);
    __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
    qthread_readFF(NULL, &may_end);
    qthread_finalize();
    return unused;
}

int main(void) {
    char text[32];
    pthread_t beginner;
    const aligned_t number = qthread_incr(&next_number, 1);
    CHECK(qthread_readstate(RUNTIME_DATA_SIZE) > 0);
    snprintf(text, sizeof text, "%d", stack_bytes);
    setenv("QT_STACK_SIZE", text, 1);
    setenv("QTHREAD_STACK_SIZE", text, 1);
    setenv("QT_GUARD_PAGES", "true", 1);
    snprintf(text, sizeof text, "%zu", sizeof(own_data));
    setenv("QT_TASKLOCAL_SIZE", text, 1);
    /* These choose what Teff does in ways of its own. */
    setenv("QT_MAX_POOL_ALLOC_SIZE", "1048576", 1);
    setenv("QT_STEAL_RATIO", "0", 1);
    setenv("QT_SPINCOUNT", "300", 1);
    setenv("QT_CPUBIND", "0", 1);

    CHECK(pthread_create(&beginner, NULL, begin_and_end, NULL) == 0);
    while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE))
        sched_yield();
    CHECK(qthread_shep() == NO_SHEPHERD);

    bundle first = {.function = main_task, .number = number, .wanted = NO_SHEPHERD};
    strcpy(first.name, "main");
    CHECK(qthread_fork_copyargs(run_task, &first, sizeof first, &exited) == QTHREAD_SUCCESS);
    qthread_readFF(NULL, &exited);

    qthread_fill(&may_end);
    CHECK(pthread_join(beginner, NULL) == 0);
    return failed;
}
