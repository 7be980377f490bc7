/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A program of Qthreads' functions. Exits with the number of checks that have failed.
 */
#include <qthread/qloop.h>
#include <qthread/qthread.h>
#include <qthread/sinc.h>

#include "check.h"

/* Each call forks two others and waits for their words. */
static aligned_t fib(void *argument) {
    const aligned_t n = (aligned_t)(uintptr_t)argument;
    aligned_t left, right;
    if (n < 2)
        return n;
    CHECK(qthread_fork(fib, (void *)(uintptr_t)(n - 1), &left) == QTHREAD_SUCCESS);
    CHECK(qthread_fork(fib, (void *)(uintptr_t)(n - 2), &right) == QTHREAD_SUCCESS);
    CHECK(qthread_readFF(&left, &left) == QTHREAD_SUCCESS);
    CHECK(qthread_readFF(&right, &right) == QTHREAD_SUCCESS);
    return left + right;
}

typedef struct pair {
    aligned_t there, back;
} pair;

static aligned_t echo(void *argument) {
    pair *with = argument;
    aligned_t value, sum = 0;
    for (int i = 0; i < 100; ++i) {
        qthread_readFE(&value, &with->there);
        sum += value;
        qthread_writeEF_const(&with->back, value + 1);
    }
    return sum;
}

static void words(void) {
    pair with = {0, 0};
    aligned_t value = 0, sum;
    CHECK(qthread_feb_status(&with.there) == 1);
    CHECK(qthread_empty(&with.there) == QTHREAD_SUCCESS);
    CHECK(qthread_purge_to_const(&with.back, 7) == QTHREAD_SUCCESS);
    CHECK(with.back == 7 && qthread_feb_status(&with.back) == 0);
    CHECK(qthread_fork(echo, &with, &sum) == QTHREAD_SUCCESS);
    for (aligned_t i = 0; i < 100; ++i) {
        CHECK(qthread_writeEF(&with.there, &i) == QTHREAD_SUCCESS);
        CHECK(qthread_readFE(&value, &with.back) == QTHREAD_SUCCESS);
        CHECK(value == i + 1);
    }
    CHECK(qthread_readFF(NULL, &sum) == QTHREAD_SUCCESS);
    CHECK(sum == 4950);
    CHECK(qthread_fill(&with.there) == QTHREAD_SUCCESS);
    CHECK(qthread_writeF_const(&with.back, 9) == QTHREAD_SUCCESS);
    CHECK(qthread_writeFF_const(&with.back, 10) == QTHREAD_SUCCESS);
    CHECK(qthread_readXX(&value, &with.back) == QTHREAD_SUCCESS && value == 10);
    CHECK(qthread_feb_status(&with.back) == 1);
}

static aligned_t add_to(void *argument) {
    syncvar_t *variable = argument;
    for (int i = 0; i < 50; ++i)
        qthread_syncvar_incrF(variable, 1);
    return 5;
}

static void variables(void) {
    syncvar_t count = SYNCVAR_STATIC_INITIALIZE_TO(10);
    syncvar_t rets[4] = {SYNCVAR_STATIC_EMPTY_INITIALIZER, SYNCVAR_STATIC_EMPTY_INITIALIZER, SYNCVAR_STATIC_INITIALIZER,
                         SYNCVAR_STATIC_INITIALIZER};
    uint64_t value = 0;
    CHECK(qthread_syncvar_status(&rets[0]) == 0);
    CHECK(qthread_syncvar_status(&rets[2]) == 1);
    for (int i = 0; i < 4; ++i)
        CHECK(qthread_fork_syncvar(add_to, &count, &rets[i]) == QTHREAD_SUCCESS);
    for (int i = 0; i < 4; ++i)
        CHECK(qthread_syncvar_readFF(&value, &rets[i]) == QTHREAD_SUCCESS && value == 5);
    CHECK(qthread_syncvar_readFE(&value, &count) == QTHREAD_SUCCESS && value == 210);
    CHECK(qthread_syncvar_status(&count) == 0);
    CHECK(qthread_syncvar_writeEF_const(&count, 3) == QTHREAD_SUCCESS);
    CHECK(qthread_syncvar_writeF(&count, &value) == QTHREAD_SUCCESS);
    CHECK(qthread_syncvar_empty(&count) == QTHREAD_SUCCESS);
    CHECK(qthread_syncvar_fill(&count) == QTHREAD_SUCCESS);
    CHECK(qthread_syncvar_readFF(&value, &count) == QTHREAD_SUCCESS && value == 210);
    CHECK(INT60TOINT64(INT64TOINT60(-5)) == -5);
}

static aligned_t seen_ids[50];
static aligned_t identity(void *argument) {
    const aligned_t index = *(aligned_t *)argument; /* a copy */
    aligned_t *local = qthread_get_tasklocal(sizeof(aligned_t));
    CHECK(qthread_size_tasklocal() >= sizeof(aligned_t));
    CHECK(*local == 0);
    *local = index;
    qthread_yield();
    local = qthread_get_tasklocal(1000);
    CHECK(*local == index);
    CHECK(qthread_size_tasklocal() == 1000);
    CHECK(qthread_stackleft() > 1000);
    CHECK(qthread_shep() < qthread_num_shepherds());
    CHECK(qthread_worker(NULL) < qthread_num_workers());
    CHECK(qthread_migrate_to(0) == QTHREAD_SUCCESS);
    seen_ids[index] = qthread_id();
    return 0;
}

static void tasks(void) {
    aligned_t done[50], first = 0, second = 0, last = 0;
    aligned_t *both[] = {&first, &second};
    for (aligned_t i = 0; i < 50; ++i)
        CHECK(qthread_fork_copyargs(identity, &i, sizeof i, &done[i]) == QTHREAD_SUCCESS);
    for (int i = 0; i < 50; ++i)
        qthread_readFF(NULL, &done[i]);
    for (int i = 0; i < 50; ++i) {
        CHECK(seen_ids[i] != QTHREAD_NON_TASK_ID);
        for (int j = 0; j < i; ++j)
            CHECK(seen_ids[i] != seen_ids[j]);
    }
    CHECK(qthread_id() == 1);

    /* Starts when both words are full. */
    qthread_empty(&first);
    qthread_empty(&second);
    CHECK(qthread_fork_precond(fib, (void *)10, &last, 2, &first, &second) == QTHREAD_SUCCESS);
    CHECK(qthread_fork_precond(fib, (void *)10, &done[1], -2, both) == QTHREAD_SUCCESS);
    CHECK(qthread_spawn(fib, (void *)5, 0, &done[0], 2, both, NO_SHEPHERD, 0) == QTHREAD_SUCCESS);
    qthread_yield();
    CHECK(qthread_feb_status(&last) == 0);
    qthread_fill(&second);
    qthread_fill(&first);
    qthread_readFF(&last, &last);
    CHECK(last == 55);
    qthread_readFF(NULL, &done[0]);
    qthread_readFF(NULL, &done[1]);
    CHECK(done[0] == 5 && done[1] == 55);
    CHECK(qthread_fork(NULL, NULL, NULL) == QTHREAD_BADARGS);
}

/* On its shepherd at each of its pieces; then round all of them. */
static aligned_t stays(void *argument) {
    const qthread_shepherd_id_t own = (qthread_shepherd_id_t)(uintptr_t)argument, count = qthread_num_shepherds();
    qthread_shepherd_id_t seen = NO_SHEPHERD, next = own;
    for (int i = 0; i < 5; ++i) {
        CHECK(qthread_shep() == own);
        CHECK(qthread_worker(&seen) < qthread_num_workers());
        CHECK(seen == own);
        CHECK(qthread_shep_ok() == 1);
        qthread_yield();
    }
    for (int i = 0; i < count; ++i) {
        qthread_shep_next(&next);
        CHECK(qthread_migrate_to(next) == QTHREAD_SUCCESS);
        CHECK(qthread_shep() == next);
        qthread_yield();
        CHECK(qthread_shep() == next);
    }
    CHECK(next == own);
    CHECK(qthread_migrate_to(count) == QTHREAD_BADARGS);
    CHECK(qthread_shep() == own);
    qthread_reset_target_shep();
    qthread_yield();
    CHECK(qthread_shep() < count);
    return own;
}

static void shepherds(void) {
    const qthread_shepherd_id_t count = qthread_num_shepherds();
    qthread_shepherd_id_t back = 0;
    int workers = 0;
    aligned_t done[40], full = 0, copied = 3;
    syncvar_t ret = SYNCVAR_STATIC_INITIALIZER;
    uint64_t value = 0;
    CHECK(count >= 1);
    CHECK(qthread_readstate(TOTAL_SHEPHERDS) == count);
    for (qthread_shepherd_id_t i = 0; i < count; ++i) {
        const qthread_shepherd_id_t *others = qthread_sorted_sheps_remote(i);
        int missing = (1 << count) - 1 - (1 << i);
        workers += qthread_num_workers_local(i);
        CHECK(qthread_distance(i, i) == 0);
        CHECK((others == NULL) == (count == 1));
        for (int k = 0; k + 1 < count; ++k)
            missing &= ~(1 << others[k]);
        CHECK(missing == 0);
    }
    CHECK(workers == qthread_num_workers());
    CHECK(qthread_num_workers_local(count) == 0);
    CHECK(qthread_distance(0, count) == QTHREAD_BADARGS);
    qthread_shep_prev(&back);
    CHECK(back == count - 1);
    for (int i = 0; i < 40; ++i)
        CHECK(qthread_fork_to(stays, (void *)(uintptr_t)(i % count), &done[i], (qthread_shepherd_id_t)(i % count)) ==
              QTHREAD_SUCCESS);
    for (int i = 0; i < 40; ++i) {
        qthread_readFF(NULL, &done[i]);
        CHECK(done[i] == (aligned_t)(i % count));
    }
    CHECK(qthread_fork_syncvar_to(stays, (void *)(uintptr_t)(count - 1), &ret, (qthread_shepherd_id_t)(count - 1)) ==
          QTHREAD_SUCCESS);
    CHECK(qthread_syncvar_readFF(&value, &ret) == QTHREAD_SUCCESS && value == (uint64_t)(count - 1));
    CHECK(qthread_fork_copyargs_to(identity, &copied, sizeof copied, &ret, 0) == QTHREAD_SUCCESS);
    CHECK(qthread_syncvar_readFF(&value, &ret) == QTHREAD_SUCCESS && value == 0);
    CHECK(qthread_fork_precond_to(stays, NULL, &done[0], 0, 1, &full) == QTHREAD_SUCCESS);
    qthread_readFF(NULL, &done[0]);
    CHECK(qthread_spawn(stays, (void *)(uintptr_t)(count - 1), 0, &done[1], 0, NULL,
                        (qthread_shepherd_id_t)(count - 1), 0) == QTHREAD_SUCCESS);
    qthread_readFF(NULL, &done[1]);
    done[2] = 17;
    CHECK(qthread_fork(NULL, NULL, &done[2]) == QTHREAD_BADARGS);
    CHECK(qthread_feb_status(&done[2]) == 1 && done[2] == 17);
    /* Numbers are taken modulo the number of shepherds. */
    CHECK(qthread_fork_to(stays, (void *)(uintptr_t)(count - 1), &done[2], (qthread_shepherd_id_t)(3 * count - 1)) ==
          QTHREAD_SUCCESS);
    qthread_readFF(NULL, &done[2]);
    CHECK(done[2] == (aligned_t)(count - 1));
    CHECK(qthread_fork_to(fib, (void *)5, &done[2], NO_SHEPHERD) == QTHREAD_SUCCESS);
    qthread_readFF(NULL, &done[2]);
    CHECK(done[2] == 5);
}

static aligned_t a_lock = 0, locked_count = 0;
static void count_locked(size_t first, size_t last, void *argument) {
    (void)argument;
    for (size_t i = first; i < last; ++i) {
        CHECK(qthread_lock(&a_lock) == QTHREAD_SUCCESS);
        const aligned_t seen = locked_count;
        CHECK(qthread_trylock(&a_lock) == QTHREAD_OPFAIL);
        qthread_yield();
        locked_count = seen + 1;
        CHECK(qthread_unlock(&a_lock) == QTHREAD_SUCCESS);
    }
}
static void add_indices(size_t first, size_t last, void *restrict argument, void *restrict ret) {
    (void)argument;
    *(aligned_t *)ret = 0;
    for (size_t i = first; i < last; ++i)
        *(aligned_t *)ret += i;
}
static void add(void *restrict a, const void *restrict b) { *(aligned_t *)a += *(const aligned_t *)b; }

static void loops(void) {
    aligned_t sum = 0, array[100];
    double halves[100];
    qt_loop(0, 50, count_locked, NULL);
    qt_loop_balance(0, 50, count_locked, NULL);
    CHECK(locked_count == 100);
    qt_loopaccum_balance(1, 101, sizeof sum, &sum, add_indices, NULL, add);
    CHECK(sum == 5050);
    for (aligned_t i = 0; i < 100; ++i) {
        array[i] = i + 1;
        halves[i] = 0.5 * (double)i;
    }
    CHECK(qt_uint_sum(array, 100, 1) == 5050);
    CHECK(qt_uint_max(array, 100, 0) == 100);
    CHECK(qt_uint_min(array, 100, 0) == 1);
    CHECK(qt_double_sum(halves, 100, 0) == 2475.0);
    CHECK(qt_double_max(halves, 100, 0) == 49.5);
}

static void add_value(void *target, const void *source) { *(aligned_t *)target += *(const aligned_t *)source; }
static void sincs(void) {
    const aligned_t zero = 0;
    aligned_t result = 0;
    qt_sinc_t *sinc = qt_sinc_create(sizeof zero, &zero, add_value, 10);
    for (uintptr_t i = 0; i < 10; ++i)
        CHECK(qthread_spawn(fib, (void *)i, 0, sinc, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC) == QTHREAD_SUCCESS);
    qt_sinc_wait(sinc, &result);
    CHECK(result == 88);
    qt_sinc_reset(sinc, 1);
    qt_sinc_expect(sinc, 1);
    qt_sinc_submit(sinc, &result);
    qt_sinc_submit(sinc, &result);
    qt_sinc_wait(sinc, &result);
    CHECK(result == 176);
    qt_sinc_destroy(sinc);
}

static aligned_t everything(void *argument) {
    (void)argument;
    words();
    variables();
    loops();
    sincs();
    return fib((void *)12);
}

int main(void) {
    aligned_t result = 0, counter = 0;
    double real = 0.5;
    CHECK(qthread_initialize() == QTHREAD_SUCCESS);
    CHECK(qthread_num_workers() >= 1);
    CHECK(qthread_readstate(TOTAL_WORKERS) == qthread_num_workers());
    words();
    variables();
    tasks();
    shepherds();
    CHECK(qthread_migrate_to(qthread_shep()) == QTHREAD_SUCCESS);
    CHECK(qthread_migrate_to(qthread_num_shepherds()) == QTHREAD_BADARGS);
    loops();
    sincs();
    CHECK(qthread_incr(&counter, 2) == 0 && counter == 2);
    CHECK(qthread_dincr(&real, 1.0) == 0.5 && real == 1.5);
    locked_count = 0;
    CHECK(qthread_fork(everything, NULL, &result) == QTHREAD_SUCCESS);
    CHECK(qthread_readFF(&result, &result) == QTHREAD_SUCCESS);
    CHECK(result == 144);
    CHECK(qthread_fork(fib, (void *)10, NULL) == QTHREAD_SUCCESS);
    qthread_finalize();
    return failed;
}
