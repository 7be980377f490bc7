/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The main qthread, teams of tasks, locks, queues, barriers, disabled shepherds, stop watches, and tasks that spin.
 * Runs its checks twice, with qthread_finalize() between.
 */
#include <qthread/barrier.h>
#include <qthread/cacheline.h>
#include <qthread/qloop.h>
#include <qthread/qthread.h>
#include <qthread/qtimer.h>
#include <qthread/sinc.h>

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static void *outside(void *argument) {
    CHECK(qthread_id() == QTHREAD_NON_TASK_ID);
    CHECK(qt_team_id() == QTHREAD_NON_TEAM_ID);
    CHECK(qthread_get_tasklocal(8) == NULL);
    CHECK(qthread_size_tasklocal() == 0);
    return argument;
}

static aligned_t one_id(void *argument) {
    (void)argument;
    CHECK(qthread_retloc() != NULL);
    return qthread_id();
}
static void loop_id(size_t first, size_t last, void *argument) {
    (void)last;
    ((aligned_t *)argument)[first] = qthread_id();
}

static void main_qthread(void) {
    aligned_t ids[10], of_loop[10] = {0};
    aligned_t *local = qthread_get_tasklocal(sizeof(aligned_t));
    pthread_t thread;
    CHECK(qthread_id() == 1);
    CHECK(qthread_size_tasklocal() >= sizeof(aligned_t));
    CHECK(local != NULL && *local == 0);
    *local = 42;
    local = qthread_get_tasklocal(5000);
    CHECK(local[0] == 42 && qthread_size_tasklocal() == 5000);
    CHECK(qthread_retloc() == NULL);
    CHECK((char *)qthread_bos() < (char *)&local && (char *)&local < (char *)qthread_tos());
    CHECK(pthread_create(&thread, NULL, outside, NULL) == 0 && pthread_join(thread, NULL) == 0);
    for (int i = 0; i < 10; ++i)
        CHECK(qthread_fork(one_id, NULL, &ids[i]) == QTHREAD_SUCCESS);
    for (int i = 0; i < 10; ++i)
        qthread_readFF(NULL, &ids[i]);
    for (int i = 1; i < 10; ++i)
        CHECK(ids[i] == ids[i - 1] + 1);
    qt_loop(0, 10, loop_id, of_loop);
    for (int i = 0; i < 10; ++i)
        for (int j = 0; j < i; ++j)
            CHECK(of_loop[i] != QTHREAD_NON_TASK_ID && of_loop[i] != of_loop[j]);
}

/* ---- Teams ------------------------------------------------------------------------------------------------------- */

typedef struct {
    aligned_t gate, ended;
    unsigned team, parent;
} team_state;

static aligned_t member(void *argument) {
    team_state *of = argument;
    CHECK(qt_team_id() == of->team);
    CHECK(qt_team_parent_id() == of->parent);
    qthread_readFF(NULL, &of->gate);
    qthread_incr(&of->ended, 1);
    return 0;
}
static void member_of_loop(size_t first, size_t last, void *argument) {
    (void)first;
    (void)last;
    CHECK(qt_team_id() == ((team_state *)argument)->team);
    CHECK(qthread_fork(member, argument, NULL) == QTHREAD_SUCCESS);
}
static aligned_t founder(void *argument) {
    team_state *of = argument;
    of->team = qt_team_id();
    CHECK(of->team > QTHREAD_DEFAULT_TEAM_ID);
    CHECK(qt_team_parent_id() == of->parent);
    for (int i = 0; i < 5; ++i)
        CHECK(qthread_fork(member, of, NULL) == QTHREAD_SUCCESS);
    qt_loop(0, 5, member_of_loop, of);
    return 7;
}
static aligned_t with_subteam(void *argument) {
    team_state *of = argument;
    of->parent = qt_team_id();
    CHECK(qthread_fork_new_subteam(founder, of, NULL) == QTHREAD_SUCCESS);
    return 8;
}

/* The result is there when all tasks of the team have ended. */
static void teams(void) {
    team_state state = {0, 0, 0, QTHREAD_NON_TEAM_ID};
    aligned_t ret = 0;
    syncvar_t variable = SYNCVAR_STATIC_INITIALIZER;
    uint64_t value = 0;
    CHECK(qt_team_id() == QTHREAD_DEFAULT_TEAM_ID && qt_team_parent_id() == QTHREAD_NON_TEAM_ID);
    qthread_empty(&state.gate);
    CHECK(qthread_fork_new_team(founder, &state, &ret) == QTHREAD_SUCCESS);
    qthread_yield();
    CHECK(qthread_feb_status(&ret) == 0);
    qthread_fill(&state.gate);
    qthread_readFF(&ret, &ret);
    CHECK(ret == 7 && state.ended == 10);

    state.ended = 0;
    qthread_empty(&state.gate);
    CHECK(qthread_fork_new_team(with_subteam, &state, &ret) == QTHREAD_SUCCESS);
    qthread_yield();
    CHECK(qthread_feb_status(&ret) == 0);
    qthread_fill(&state.gate);
    qthread_readFF(&ret, &ret);
    CHECK(ret == 8 && state.ended == 10);

    state = (team_state){0, 0, 0, QTHREAD_DEFAULT_TEAM_ID};
    CHECK(qthread_fork_syncvar_new_subteam(founder, &state, &variable) == QTHREAD_SUCCESS);
    qthread_syncvar_readFF(&value, &variable);
    CHECK(value == 7 && state.ended == 10);
    qt_team_critical_section(BEGIN);
    qt_team_critical_section(END);
}

/* ---- Locks ------------------------------------------------------------------------------------------------------- */

typedef struct {
    aligned_t word;
    qthread_spinlock_t lock;
    int64_t count;
} locked_state;

static void count_twice(size_t first, size_t last, void *argument) {
    locked_state *state = argument;
    for (size_t i = first; i < last; ++i) {
        CHECK(qthread_lock(&state->word) == QTHREAD_SUCCESS);
        CHECK(qthread_trylock(&state->word) == QTHREAD_SUCCESS);
        const int64_t seen = state->count;
        qthread_yield();
        state->count = seen + 1;
        CHECK(qthread_unlock(&state->word) == QTHREAD_SUCCESS);
        CHECK(qthread_unlock(&state->word) == QTHREAD_SUCCESS);
    }
}
static void count_under_spinlock(size_t first, size_t last, void *argument) {
    locked_state *state = argument;
    for (size_t i = first; i < last; ++i) {
        CHECK(qthread_spinlock_lock(&state->lock) == QTHREAD_SUCCESS);
        const int64_t seen = state->count;
        qthread_yield();
        state->count = seen + 1;
        CHECK(qthread_spinlock_unlock(&state->lock) == QTHREAD_SUCCESS);
    }
}
static aligned_t try_locks(void *argument) {
    locked_state *state = argument;
    CHECK(qthread_trylock(&state->word) == QTHREAD_OPFAIL);
    CHECK(qthread_unlock(&state->word) == QTHREAD_NOT_ALLOWED);
    CHECK(qthread_spinlock_trylock(&state->lock) == QTHREAD_OPFAIL);
    return 0;
}

static void locks(void) {
    locked_state state = {0, QTHREAD_MUTEX_INITIALIZER, 0};
    const qthread_spinlock_t recursive = QTHREAD_RECURSIVE_MUTEX_INITIALIZER;
    aligned_t done;
    CHECK(qthread_lock_init(&state.word, true) == QTHREAD_SUCCESS);
    qt_loop(0, 100, count_twice, &state);
    CHECK(state.count == 100);
    qt_loop(0, 100, count_under_spinlock, &state);
    CHECK(state.count == 200);
    CHECK(qthread_spinlock_init(&state.lock, true) == QTHREAD_SUCCESS);
    CHECK(state.lock.owner == recursive.owner);
    CHECK(qthread_lock(&state.word) == QTHREAD_SUCCESS);
    CHECK(qthread_spinlock_lock(&state.lock) == QTHREAD_SUCCESS);
    CHECK(qthread_spinlock_lock(&state.lock) == QTHREAD_SUCCESS);
    CHECK(qthread_fork(try_locks, &state, &done) == QTHREAD_SUCCESS);
    qthread_readFF(NULL, &done);
    CHECK(qthread_unlock(&state.word) == QTHREAD_SUCCESS);
    CHECK(qthread_spinlock_unlock(&state.lock) == QTHREAD_SUCCESS);
    CHECK(qthread_spinlock_unlock(&state.lock) == QTHREAD_SUCCESS);
    CHECK(qthread_spinlock_destroy(&state.lock) == QTHREAD_SUCCESS);
    CHECK(qthread_spinlocks_init(&state.lock, false) == QTHREAD_SUCCESS);
    CHECK(qthread_spinlocks_destroy(&state.lock) == QTHREAD_SUCCESS);
    CHECK(qthread_lock_destroy(&state.word) == QTHREAD_SUCCESS);
    CHECK(qthread_lock(&state.word) == QTHREAD_SUCCESS && qthread_trylock(&state.word) == QTHREAD_OPFAIL);
    CHECK(qthread_unlock(&state.word) == QTHREAD_SUCCESS);
    CHECK(qthread_lock(NULL) == QTHREAD_BADARGS && qthread_spinlock_lock(NULL) == QTHREAD_BADARGS);
}

/* ---- Queues and barriers ----------------------------------------------------------------------------------------- */

static aligned_t awake = 0;
static aligned_t joins(void *argument) {
    CHECK(qthread_queue_join(argument) == QTHREAD_SUCCESS);
    return qthread_incr(&awake, 1);
}

static void queues(void) {
    enum { count = 20 };
    aligned_t rets[count];
    qthread_queue_t queue = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN_LENGTH, 0);
    qthread_queue_t capped = qthread_queue_create(QTHREAD_QUEUE_CAPPED, 0);
    awake = 0;
    CHECK(queue != NULL && qthread_queue_length(queue) == 0);
    for (int i = 0; i < count; ++i)
        CHECK(qthread_fork(joins, queue, &rets[i]) == QTHREAD_SUCCESS);
    while (qthread_queue_length(queue) != count)
        qthread_yield();
    CHECK(awake == 0);
    CHECK(qthread_queue_release_one(queue) == QTHREAD_SUCCESS);
    CHECK(qthread_queue_length(queue) == count - 1);
    while (__atomic_load_n(&awake, __ATOMIC_ACQUIRE) == 0)
        qthread_yield();
    CHECK(__atomic_load_n(&awake, __ATOMIC_ACQUIRE) == 1);
    CHECK(qthread_queue_release_all(queue) == QTHREAD_SUCCESS);
    for (int i = 0; i < count; ++i)
        qthread_readFF(NULL, &rets[i]);
    CHECK(awake == count && qthread_queue_length(queue) == 0);
    CHECK(qthread_queue_release_one(queue) == QTHREAD_SUCCESS);
    CHECK(qthread_queue_join(capped) == QTHREAD_OPFAIL);
    CHECK(qthread_queue_join(NULL) == QTHREAD_BADARGS);
    CHECK(qthread_queue_destroy(queue) == QTHREAD_SUCCESS && qthread_queue_destroy(capped) == QTHREAD_SUCCESS);
}

static aligned_t arrived = 0;
static aligned_t rounds(void *argument) {
    qt_barrier_t *barrier = argument;
    for (aligned_t round = 1; round <= 3; ++round) {
        qthread_incr(&arrived, 1);
        qt_barrier_enter_id(barrier, 0);
        CHECK(__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) >= 8 * round);
        qt_barrier_enter(barrier);
    }
    return 0;
}
static void barriers(void) {
    aligned_t rets[8];
    qt_barrier_t *barrier = qt_barrier_create(3, REGION_BARRIER);
    CHECK(barrier != NULL);
    qt_barrier_resize(barrier, 8);
    arrived = 0;
    for (int i = 0; i < 8; ++i)
        CHECK(qthread_fork(rounds, barrier, &rets[i]) == QTHREAD_SUCCESS);
    for (int i = 0; i < 8; ++i)
        qthread_readFF(NULL, &rets[i]);
    CHECK(arrived == 24);
    qt_barrier_dump(barrier, BOTHLOCKS);
    CHECK(qt_get_barrier() == NULL);
    qt_set_barrier(barrier);
    CHECK(qt_get_barrier() == barrier);
    qt_set_barrier(NULL);
    qt_barrier_destroy(barrier);
}

/* ---- Shepherds, numbers, times ----------------------------------------------------------------------------------- */

static aligned_t where(void *argument) {
    (void)argument;
    return qthread_shep();
}
static aligned_t tries_to_migrate(void *argument) {
    const qthread_shepherd_id_t here = qthread_shep();
    CHECK(qthread_migrate_to((qthread_shepherd_id_t)(uintptr_t)argument) == QTHREAD_NOT_ALLOWED);
    CHECK(qthread_shep() == here);
    return 0;
}

static void disabled_shepherds(void) {
    const qthread_shepherd_id_t count = qthread_num_shepherds(), last = (qthread_shepherd_id_t)(count - 1);
    aligned_t there, rets[10];
    CHECK(qthread_disable_shepherd(0) == QTHREAD_NOT_ALLOWED);
    CHECK(qthread_disable_shepherd(count) == QTHREAD_BADARGS);
    CHECK(qthread_readstate(ACTIVE_SHEPHERDS) == count);
    if (count == 1)
        return;
    CHECK(qthread_disable_shepherd(last) == QTHREAD_SUCCESS);
    CHECK(qthread_readstate(ACTIVE_SHEPHERDS) == last && qthread_readstate(TOTAL_SHEPHERDS) == count);
    CHECK(qthread_fork_to(where, NULL, &there, last) == QTHREAD_SUCCESS);
    qthread_readFF(&there, &there);
    CHECK(there == 0);
    for (int i = 0; i < 10; ++i)
        CHECK(qthread_fork(where, NULL, &rets[i]) == QTHREAD_SUCCESS);
    for (int i = 0; i < 10; ++i) {
        qthread_readFF(NULL, &rets[i]);
        CHECK(rets[i] != last);
    }
    CHECK(qthread_fork_to(tries_to_migrate, (void *)(uintptr_t)last, &there, 0) == QTHREAD_SUCCESS);
    qthread_readFF(NULL, &there);
    qthread_enable_shepherd(last);
    CHECK(qthread_readstate(ACTIVE_SHEPHERDS) == count);
    CHECK(qthread_fork_to(where, NULL, &there, last) == QTHREAD_SUCCESS);
    qthread_readFF(&there, &there);
    CHECK(there == last);
}

static aligned_t await(void *argument) {
    qthread_readFF(NULL, argument);
    return 0;
}
static void numbers(void) {
    aligned_t gate = 0, ret;
    float real = 0.5F;
    int32_t small = 5;
    int64_t large = 5;
    qtimer_t timer = qtimer_create();
    qthread_empty(&gate);
    CHECK(qthread_fork(await, &gate, &ret) == QTHREAD_SUCCESS);
    while (qthread_readstate(NODE_BUSYNESS) != 1)
        qthread_yield();
    CHECK(qthread_feb_status(&ret) == 0);
    CHECK(qthread_readstate(WORKER_OCCUPATION) == 1);
    qthread_fill(&gate);
    qthread_readFF(NULL, &ret);
    CHECK(qthread_readstate(STACK_SIZE) >= 16384 && qthread_readstate(RUNTIME_DATA_SIZE) > 0);
    CHECK(qthread_fincr(&real, 1.0F) == 0.5F && real == 1.5F);
    CHECK(qthread_incr_xx(&small, -2, sizeof small) == 5 && small == 3);
    CHECK(qthread_incr_xx(&large, -2, sizeof large) == 5 && large == 3);

    CHECK(timer != NULL && qtimer_res() > 0);
    const double before = qtimer_wtime();
    qtimer_start(timer);
    for (unsigned long last = qtimer_fastrand(), i = 0; i < 1000; ++i) {
        const unsigned long next = qtimer_fastrand();
        CHECK(next != last);
        last = next;
    }
    qtimer_stop(timer);
    CHECK(qtimer_secs(timer) > 0 && qtimer_secs(timer) <= qtimer_wtime() - before);
    qtimer_destroy(timer);
    CHECK(qthread_cacheline() >= 16);
}

/* Tasks that wait for each other and keep their workers meanwhile: each worker of the only shepherd gets one. With
 * several shepherds, or with Nemesis, whose workers share no queue, a task may have to wait for the one ahead of it. */
static int begun = 0;
static aligned_t spin(void *argument) {
    const int all = (int)(uintptr_t)argument;
    __sync_fetch_and_add(&begun, 1);
    while (__atomic_load_n(&begun, __ATOMIC_ACQUIRE) < all)
        sched_yield();
    return 0;
}
static void rendezvous(void) {
    const int all = qthread_num_workers();
    const char *const scheduler = getenv("TEFF_SCHEDULER");
    const int shares_queues = scheduler == NULL || strcmp(scheduler, "nemesis") != 0;
    aligned_t done[64];
    if (qthread_num_shepherds() != 1 || all > 64 || !shares_queues)
        return;
    for (int round = 0; round < 10; ++round) {
        begun = 0;
        for (int i = 0; i < all; ++i)
            CHECK(qthread_fork(spin, (void *)(uintptr_t)all, &done[i]) == QTHREAD_SUCCESS);
        for (int i = 0; i < all; ++i)
            qthread_readFF(NULL, &done[i]);
    }
}

int main(void) {
    CHECK(qthread_shep() == NO_SHEPHERD);
    CHECK(qthread_id() == QTHREAD_NON_TASK_ID);
    for (int i = 0; i < 2; ++i) {
        CHECK(qthread_initialize() == QTHREAD_SUCCESS);
        CHECK(qthread_initialize() == QTHREAD_SUCCESS);
        main_qthread();
        teams();
        locks();
        queues();
        barriers();
        disabled_shepherds();
        numbers();
        rendezvous();
        qthread_finalize();
        CHECK(qthread_id() == QTHREAD_NON_TASK_ID);
        CHECK(qthread_shep() == NO_SHEPHERD);
    }
    /* As many as the program says. */
    CHECK(qthread_init(3) == QTHREAD_SUCCESS);
    CHECK(qthread_num_shepherds() == 3 && qthread_num_workers() >= 3);
    qthread_finalize();
    return failed;
}
