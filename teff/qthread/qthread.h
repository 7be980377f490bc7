/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The interface of Qthreads, on Teff's fibers: programs that were written for Qthreads compile with this header and run
 * with libqthread.so of Teff. docs/qthreads.md says what is covered and what differs.
 *
 * A qthread is a fiber. Shepherds are those of the team, which TEFF_SHEPHERDS chooses (docs/threads.md). Functions
 * return QTHREAD_SUCCESS or one of the codes below.
 */
#ifndef TEFF_QTHREAD_QTHREAD_H
#define TEFF_QTHREAD_QTHREAD_H

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

#ifdef __cplusplus
#define Q_STARTCXX extern "C" {
#define Q_ENDCXX }
#define TEFF_RESTRICT __restrict__
#else
#define Q_STARTCXX
#define Q_ENDCXX
#define TEFF_RESTRICT restrict
#endif

#define QTHREAD_SUCCESS 0
#define QTHREAD_BADARGS (-1)
#define QTHREAD_PTHREAD_ERROR (-2)
#define QTHREAD_NOT_ALLOWED (-3)
#define QTHREAD_MALLOC_ERROR ENOMEM
#define QTHREAD_THIRD_PARTY_ERROR (-4)
#define QTHREAD_TIMEOUT (-5)
#define QTHREAD_OVERFLOW EOVERFLOW
#define QTHREAD_OPFAIL (-7)
#define NO_SHEPHERD ((qthread_shepherd_id_t)-1)
#define NO_WORKER ((qthread_worker_id_t)-1)
#define QTHREAD_NULL_TASK_ID UINT_MAX
#define QTHREAD_NON_TASK_ID 0
#define QTHREAD_DEFAULT_TEAM_ID 1
#define QTHREAD_NON_TEAM_ID 0
#define QTHREAD_NULL_TEAM_ID UINT_MAX
#define QTHREAD_BITS 64

Q_STARTCXX

typedef uint64_t aligned_t;
typedef int64_t saligned_t;
typedef uint32_t haligned_t;
#define QTHREAD_ALIGNMENT_ALIGNED_T (sizeof(aligned_t))

typedef unsigned short qthread_shepherd_id_t;
typedef unsigned short qthread_worker_id_t;
typedef aligned_t (*qthread_f)(void *argument);

/* ---- The runtime ------------------------------------------------------------------------------------------------- */

/* The number of workers is that of TEFF_NUM_THREADS; the argument of qthread_init() is not used. */
int qthread_init(qthread_shepherd_id_t shepherds);
int qthread_initialize(void);
/* Returns when all qthreads of the calling thread's team have ended. */
void qthread_finalize(void);

/* ---- Qthreads ---------------------------------------------------------------------------------------------------- */

/* A variable of 60 bits with its own full/empty state. `state` is 0 or 2 in an initialiser: full or empty. */
typedef struct syncvar_s {
    union {
        uint64_t w;
        struct {
            uint64_t lock : 1;
            uint64_t state : 3;
            uint64_t data : 60;
        } s;
    } u;
} syncvar_t;

#define SYNCVAR_STATIC_INITIALIZER {{0}}
#define SYNCVAR_STATIC_EMPTY_INITIALIZER {{4}}
#define SYNCVAR_STATIC_INITIALIZE_TO(value) {{(uint64_t)(value) << 4}}
#define SYNCVAR_STATIC_EMPTY_INITIALIZE_TO(value) {{((uint64_t)(value) << 4) | 4}}
#define SYNCVAR_INITIALIZER ((syncvar_t)SYNCVAR_STATIC_INITIALIZER)
#define SYNCVAR_EMPTY_INITIALIZER ((syncvar_t)SYNCVAR_STATIC_EMPTY_INITIALIZER)
#define SYNCVAR_INITIALIZE_TO(value) ((syncvar_t)SYNCVAR_STATIC_INITIALIZE_TO(value))
#define SYNCVAR_EMPTY_INITIALIZE_TO(value) ((syncvar_t)SYNCVAR_STATIC_EMPTY_INITIALIZE_TO(value))

#define INT64TOINT60(x) ((uint64_t)(x) & UINT64_C(0x0fffffffffffffff))
#define INT60TOINT64(x) ((int64_t)((uint64_t)(x) << 4) >> 4)

/* Each starts a qthread. `ret` is emptied at once, and filled with what the function returns; NULL: it is not needed.
 * One that is started on a shepherd stays there; NO_SHEPHERD: it may run on any, as with the other functions.
 * QTHREAD_BADARGS: there is no such shepherd, and nothing was done. A variant with preconditions starts when all of
 * these words are full: `count` pointers to aligned_t, or, if `count` is negative, one array of -count such pointers. A
 * variant that copies its argument passes a pointer to the copy. */
int qthread_fork(qthread_f function, const void *argument, aligned_t *ret);
int qthread_fork_to(qthread_f function, const void *argument, aligned_t *ret, qthread_shepherd_id_t shepherd);
int qthread_fork_net(qthread_f function, const void *argument, aligned_t *ret);
int qthread_fork_syncvar(qthread_f function, const void *argument, syncvar_t *ret);
int qthread_fork_syncvar_to(qthread_f function, const void *argument, syncvar_t *ret, qthread_shepherd_id_t shepherd);
int qthread_fork_copyargs(qthread_f function, const void *argument, size_t size, aligned_t *ret);
int qthread_fork_copyargs_to(qthread_f function, const void *argument, size_t size, syncvar_t *ret,
                             qthread_shepherd_id_t shepherd);
int qthread_fork_syncvar_copyargs(qthread_f function, const void *argument, size_t size, syncvar_t *ret);
int qthread_fork_syncvar_copyargs_simple(qthread_f function, const void *argument, size_t size, syncvar_t *ret);
int qthread_fork_precond(qthread_f function, const void *argument, aligned_t *ret, int count, ...);
int qthread_fork_precond_to(qthread_f function, const void *argument, aligned_t *ret, qthread_shepherd_id_t shepherd,
                            int count, ...);
int qthread_fork_precond_simple(qthread_f function, const void *argument, aligned_t *ret, int count, ...);
int qthread_fork_copyargs_precond(qthread_f function, const void *argument, size_t size, syncvar_t *ret, int count,
                                  ...);

#define QTHREAD_SPAWN_PARENT (1 << 0)
#define QTHREAD_SPAWN_SIMPLE (1 << 1)
#define QTHREAD_SPAWN_NEW_TEAM (1 << 2)
#define QTHREAD_SPAWN_NEW_SUBTEAM (1 << 3)
#define QTHREAD_SPAWN_RET_SYNCVAR_T (1 << 4)
#define QTHREAD_SPAWN_RET_SINC (1 << 5)
#define QTHREAD_SPAWN_RET_SINC_VOID (1 << 6)
#define QTHREAD_SPAWN_PC_SYNCVAR_T (1 << 7)
#define QTHREAD_SPAWN_COUNT (1 << 8)
#define QTHREAD_SPAWN_LOCAL_PRIORITY (1 << 9)
#define QTHREAD_SPAWN_NETWORK (1 << 10)
/* All of the above in one. `preconditions`: an array of pointers to aligned_t, or to syncvar_t with that flag. Of the
 * other flags the RET ones count; new teams are as the one that exists. */
int qthread_spawn(qthread_f function, const void *argument, size_t size, void *ret, size_t count, void *preconditions,
                  qthread_shepherd_id_t shepherd, unsigned flags);
#define qthread_fork_syncvar_copyargs_to(f, a, z, r, p)                                                                \
    qthread_spawn((f), (a), (z), (r), 0, NULL, (p), QTHREAD_SPAWN_RET_SYNCVAR_T)
#define qthread_fork_new_team(f, a, r) qthread_spawn((f), (a), 0, (r), 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_TEAM)
#define qthread_fork_new_subteam(f, a, r)                                                                              \
    qthread_spawn((f), (a), 0, (r), 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_SUBTEAM)

void qthread_yield_(int near);
#define qthread_yield() qthread_yield_(0)
#define qthread_yield_near() qthread_yield_(1)
/* Has no effect: no spawned qthread waits in a cache. */
void qthread_flushsc(void);

/* A number of the calling qthread, different from all others' of the process; QTHREAD_NON_TASK_ID on other threads. */
unsigned qthread_id(void);
aligned_t *qthread_retloc(void);
/* Memory of the calling qthread, zero at first, at least `size` bytes; it keeps its content when it grows. NULL on
 * other threads, or without memory. */
void *qthread_get_tasklocal(unsigned size);
unsigned qthread_size_tasklocal(void);
size_t qthread_stackleft(void);

unsigned qt_team_id(void);
unsigned qt_team_parent_id(void);

/* ---- Shepherds and workers --------------------------------------------------------------------------------------- */

qthread_shepherd_id_t qthread_shep(void); /* NO_SHEPHERD on a thread that is in no team */
qthread_worker_id_t qthread_worker(qthread_shepherd_id_t *shepherd);
qthread_worker_id_t qthread_worker_unique(qthread_shepherd_id_t *shepherd);
qthread_worker_id_t qthread_worker_local(qthread_shepherd_id_t *shepherd);
qthread_shepherd_id_t qthread_num_shepherds(void);
qthread_worker_id_t qthread_num_workers(void);
qthread_worker_id_t qthread_num_workers_local(qthread_shepherd_id_t shepherd);
/* The calling qthread goes on on that shepherd, and stays there. NO_SHEPHERD: it may run on any from here on. With
 * QTHREAD_BADARGS (no such shepherd) and QTHREAD_NOT_ALLOWED (no qthread) the caller stays where it is. */
int qthread_migrate_to(qthread_shepherd_id_t shepherd);
/* The calling qthread may run on any shepherd from here on. */
void qthread_reset_target_shep(void);
int qthread_shep_ok(void);
void qthread_shep_next(qthread_shepherd_id_t *shepherd);
void qthread_shep_prev(qthread_shepherd_id_t *shepherd);
void qthread_shep_next_local(qthread_shepherd_id_t *shepherd);
void qthread_shep_prev_local(qthread_shepherd_id_t *shepherd);
/* 0 or 1: how far two different ones are apart is not known. */
int qthread_distance(qthread_shepherd_id_t from, qthread_shepherd_id_t to);
/* All others than the caller's, or this one; NULL: there is no other. */
const qthread_shepherd_id_t *qthread_sorted_sheps(void);
const qthread_shepherd_id_t *qthread_sorted_sheps_remote(qthread_shepherd_id_t from);
/* None can be disabled: QTHREAD_NOT_ALLOWED. */
int qthread_disable_shepherd(qthread_shepherd_id_t shepherd);
void qthread_enable_shepherd(qthread_shepherd_id_t shepherd);
int qthread_disable_worker(qthread_worker_id_t worker);
void qthread_enable_worker(qthread_worker_id_t worker);

enum introspective_state {
    STACK_SIZE,
    RUNTIME_DATA_SIZE,
    BUSYNESS,
    NODE_BUSYNESS,
    ACTIVE_SHEPHERDS,
    TOTAL_SHEPHERDS,
    ACTIVE_WORKERS,
    TOTAL_WORKERS,
    WORKER_OCCUPATION,
    CURRENT_SHEPHERD,
    CURRENT_WORKER,
    CURRENT_UNIQUE_WORKER,
    CURRENT_TEAM,
    PARENT_TEAM
};
/* 0 for what is not known. */
size_t qthread_readstate(enum introspective_state what);

/* ---- Full/empty bits --------------------------------------------------------------------------------------------- */

/* Of any aligned word, which is full unless an operation has emptied it. The values that are read are stored without
 * regard to the state of their destination. Pointers to the values may be NULL: only the state counts then. */
int qthread_feb_status(const aligned_t *word); /* 1: full */
int qthread_empty(const aligned_t *word);
int qthread_fill(const aligned_t *word);
int qthread_writeEF(aligned_t *TEFF_RESTRICT word, const aligned_t *TEFF_RESTRICT from);
int qthread_writeEF_const(aligned_t *word, aligned_t value);
int qthread_writeF(aligned_t *word, const aligned_t *from);
int qthread_writeF_const(aligned_t *word, aligned_t value);
int qthread_writeFF(aligned_t *TEFF_RESTRICT word, const aligned_t *TEFF_RESTRICT from);
int qthread_writeFF_const(aligned_t *word, aligned_t value);
int qthread_readFF(aligned_t *to, const aligned_t *word);
int qthread_readFE(aligned_t *to, const aligned_t *word);
int qthread_readXX(aligned_t *to, const aligned_t *word);
/* Empties the word and stores a value: 0, or another one. */
int qthread_purge(aligned_t *word);
int qthread_purge_to(aligned_t *TEFF_RESTRICT word, const aligned_t *TEFF_RESTRICT from);
int qthread_purge_to_const(aligned_t *word, aligned_t value);

int qthread_syncvar_status(syncvar_t *variable); /* 1: full */
int qthread_syncvar_empty(syncvar_t *variable);
int qthread_syncvar_fill(syncvar_t *variable);
int qthread_syncvar_writeEF(syncvar_t *TEFF_RESTRICT variable, const uint64_t *TEFF_RESTRICT from);
int qthread_syncvar_writeEF_const(syncvar_t *variable, uint64_t value);
int qthread_syncvar_writeF(syncvar_t *TEFF_RESTRICT variable, const uint64_t *TEFF_RESTRICT from);
int qthread_syncvar_writeF_const(syncvar_t *variable, uint64_t value);
int qthread_syncvar_readFF(uint64_t *TEFF_RESTRICT to, syncvar_t *TEFF_RESTRICT variable);
int qthread_syncvar_readFE(uint64_t *TEFF_RESTRICT to, syncvar_t *TEFF_RESTRICT variable);
/* Waits until it is full, adds, and returns the new value. */
uint64_t qthread_syncvar_incrF(syncvar_t *variable, uint64_t increment);

/* A lock is a word that is full while it is free. QTHREAD_OPFAIL: it is not. */
int qthread_lock(const aligned_t *word);
int qthread_unlock(const aligned_t *word);
int qthread_trylock(const aligned_t *word);
int qthread_lock_init(const aligned_t *word, bool is_recursive); /* QTHREAD_BADARGS for a recursive one */
int qthread_lock_destroy(aligned_t *word);

/* ---- Atomic operations: each returns the value before ------------------------------------------------------------ */

static inline uint32_t qthread_incr32(uint32_t *operand, uint32_t increment) {
    return __atomic_fetch_add(operand, increment, __ATOMIC_SEQ_CST);
}
static inline uint64_t qthread_incr64(uint64_t *operand, uint64_t increment) {
    return __atomic_fetch_add(operand, increment, __ATOMIC_SEQ_CST);
}
static inline double qthread_dincr(double *operand, double increment) {
    uint64_t seen = __atomic_load_n((uint64_t *)operand, __ATOMIC_RELAXED);
    for (;;) {
        double before, after;
        uint64_t next;
        memcpy(&before, &seen, sizeof before);
        after = before + increment;
        memcpy(&next, &after, sizeof next);
        if (__atomic_compare_exchange_n((uint64_t *)operand, &seen, next, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            return before;
    }
}
static inline float qthread_fincr(float *operand, float increment) {
    uint32_t seen = __atomic_load_n((uint32_t *)operand, __ATOMIC_RELAXED);
    for (;;) {
        float before, after;
        uint32_t next;
        memcpy(&before, &seen, sizeof before);
        after = before + increment;
        memcpy(&next, &after, sizeof next);
        if (__atomic_compare_exchange_n((uint32_t *)operand, &seen, next, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            return before;
    }
}
#define qthread_incr(address, increment) __sync_fetch_and_add((address), (increment))
#define qthread_cas(address, old_value, new_value) __sync_val_compare_and_swap((address), (old_value), (new_value))
#define qthread_cas32(address, old_value, new_value) __sync_val_compare_and_swap((address), (old_value), (new_value))
#define qthread_cas64(address, old_value, new_value) __sync_val_compare_and_swap((address), (old_value), (new_value))
#define qthread_cas_ptr(address, old_value, new_value)                                                                 \
    ((void *)__sync_val_compare_and_swap((address), (old_value), (new_value)))

Q_ENDCXX

#endif
