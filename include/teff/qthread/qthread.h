/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The interface of Qthreads, on Teff's fibers: programs that were written for Qthreads compile with this header and run
 * with libqthread.so of Teff. docs/qthreads.md says what is covered and what differs.
 *
 * A qthread is a fiber, or the thread that has called qthread_initialize(): the main qthread, with the number 1.
 * Shepherds are those of the team. The variables QT_NUM_SHEPHERDS, QT_NUM_WORKERS_PER_SHEPHERD and others choose them
 * (docs/qthreads.md).
 *
 * Functions that return an int for which nothing else is said return QTHREAD_SUCCESS; QTHREAD_BADARGS for a NULL that
 * is not allowed; QTHREAD_MALLOC_ERROR without memory; QTHREAD_NOT_ALLOWED where no fiber can be started, as on a
 * thread that is exiting.
 *
 * Functions that start a qthread empty `ret` at once, and the qthread fills it with what its function returns. NULL: it
 * is not needed. `shepherd`, modulo the number of shepherds, is where the qthread runs until it migrates; if that one
 * is disabled, it is the next one that is not. With NO_SHEPHERD, and without the parameter, the qthread may run on any.
 * With QTHREAD_BADARGS nothing was done; with another error `ret` may be empty. If there is no memory for the stack of
 * a qthread when it begins to run, or for its result, the program ends with a message.
 *
 * Of these functions, one with `size` passes a pointer to a copy of so many bytes, or, if that is 0, the argument as it
 * is. One with preconditions calls the function when each of these words has been full: `count` pointers to aligned_t
 * follow, or, if `count` is negative, one array of -count of them.
 *
 * Any aligned word is full unless an operation has emptied it, and must be full again when its memory is used for
 * something else. The letters at the end of a name say which state the operation waits for and which one it leaves: E
 * empty, F full, XX whatever it is; writeF and purge do not wait. Values are read from `from` and stored to `to`
 * without regard to the state there. Both may be NULL: only the state of the word counts then.
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

#include "common.h"

#define QTHREAD_SUCCESS 0                       /* the call has done what it is for */
#define QTHREAD_BADARGS (-1)                    /* an argument cannot be used */
#define QTHREAD_PTHREAD_ERROR (-2)              /* no function returns it */
#define QTHREAD_NOT_ALLOWED (-3)                /* the caller cannot do this */
#define QTHREAD_MALLOC_ERROR ENOMEM             /* there is no memory */
#define QTHREAD_THIRD_PARTY_ERROR (-4)          /* no function returns it */
#define QTHREAD_TIMEOUT (-5)                    /* no function returns it */
#define QTHREAD_OVERFLOW EOVERFLOW              /* no function returns it */
#define QTHREAD_OPFAIL (-7)                     /* the lock is not free */
#define NO_SHEPHERD ((qthread_shepherd_id_t)-1) /* no shepherd's number; as an argument: any shepherd */
#define NO_WORKER ((qthread_worker_id_t)-1)     /* no worker's number */
#define QTHREAD_NULL_TASK_ID UINT_MAX           /* a number that no qthread gets */
#define QTHREAD_NON_TASK_ID 0                   /* the number of a caller that is no qthread */
#define QTHREAD_DEFAULT_TEAM_ID 1               /* the number of the team that the main qthread is in */
#define QTHREAD_NON_TEAM_ID 0                   /* the number of a team where there is none */
#define QTHREAD_NULL_TEAM_ID UINT_MAX           /* a number that no team has */
#define QTHREAD_BITS 64                         /* how many bits an aligned_t has */
#define QTHREAD_VERSION "1.23"                  /* of Qthreads whose interface this is */
#define QTHREAD_NUMVERSION 12300300             /* the same as a number; see QTHREADS_GET_VERSION() */
/* A version as a number. type: 0 alpha, 1 beta, 2 release candidate, 3 patch. */
#define QTHREADS_GET_VERSION(major, minor, revision, type, patch)                                                      \
    ((major)*10000000 + (minor)*100000 + (revision)*1000 + (type)*100 + (patch))
/* Orders all accesses before it and all after it. */
#define MACHINE_FENCE __atomic_thread_fence(__ATOMIC_ACQ_REL);

Q_STARTCXX

typedef uint64_t aligned_t;  /* a word that is full or empty, and what a qthread returns */
typedef int64_t saligned_t;  /* a number of 64 bits with a sign */
typedef uint32_t haligned_t; /* a number of 32 bits */
/* The alignment in bytes of an aligned_t that is full or empty. */
#define QTHREAD_ALIGNMENT_ALIGNED_T (sizeof(aligned_t))

typedef unsigned short qthread_shepherd_id_t;   /* the number of a shepherd, from 0 on */
typedef unsigned short qthread_worker_id_t;     /* the number of a worker, from 0 on */
typedef aligned_t (*qthread_f)(void *argument); /* the function of a qthread */

/* ---- The runtime ------------------------------------------------------------------------------------------------- */

/* As qthread_initialize(), with so many shepherds, whatever the variables say; 0: as they say. */
int qthread_init(qthread_shepherd_id_t shepherds);
/* Reads the variables, gives the calling thread a team if it is in none, and makes it the main qthread if there is
 * none. Has no effect when called again. Functions that need a team do the same, but for the main qthread. */
int qthread_initialize(void);
/* Returns when all qthreads of the process have ended. Afterwards the main qthread is none, and its team has ended; it
 * may call qthread_initialize() again. Has no effect on a fiber; another thread only waits. */
void qthread_finalize(void);

/* ---- Qthreads ---------------------------------------------------------------------------------------------------- */

/* A syncvar_t is a variable of 60 bits with its own full/empty state. Only an initialiser sets its fields. */
typedef struct syncvar_s {
    union {
        uint64_t w; /* all of it */
        struct {
            uint64_t lock : 1;  /* in an initialiser: 0 */
            uint64_t state : 3; /* in an initialiser: 0 full, 2 empty */
            uint64_t data : 60; /* the value */
        } s; /* its parts */
    } u; /* the word */
} syncvar_t;

/* Initialises a syncvar_t in its definition: full, with the value 0. */
#define SYNCVAR_STATIC_INITIALIZER {{0}}
/* As SYNCVAR_STATIC_INITIALIZER, but empty. */
#define SYNCVAR_STATIC_EMPTY_INITIALIZER {{4}}
/* Initialises a syncvar_t in its definition: full, with this value. */
#define SYNCVAR_STATIC_INITIALIZE_TO(value) {{(uint64_t)(value) << 4}}
/* As SYNCVAR_STATIC_INITIALIZE_TO(), but empty, with the value for qthread_syncvar_fill(). */
#define SYNCVAR_STATIC_EMPTY_INITIALIZE_TO(value) {{((uint64_t)(value) << 4) | 4}}
/* A syncvar_t that is full, with the value 0, to be assigned to one that is new, or full. */
#define SYNCVAR_INITIALIZER ((syncvar_t)SYNCVAR_STATIC_INITIALIZER)
/* As SYNCVAR_INITIALIZER, but empty. */
#define SYNCVAR_EMPTY_INITIALIZER ((syncvar_t)SYNCVAR_STATIC_EMPTY_INITIALIZER)
/* A syncvar_t that is full, with this value, to be assigned to one that is new, or full. */
#define SYNCVAR_INITIALIZE_TO(value) ((syncvar_t)SYNCVAR_STATIC_INITIALIZE_TO(value))
/* As SYNCVAR_INITIALIZE_TO(), but empty, with the value for qthread_syncvar_fill(). */
#define SYNCVAR_EMPTY_INITIALIZE_TO(value) ((syncvar_t)SYNCVAR_STATIC_EMPTY_INITIALIZE_TO(value))

/* The lower 60 bits of a number, as a syncvar_t keeps them. */
#define INT64TOINT60(x) ((uint64_t)(x) & UINT64_C(0x0fffffffffffffff))
/* The number with a sign that these 60 bits mean. */
#define INT60TOINT64(x) ((int64_t)((uint64_t)(x) << 4) >> 4)
/* Stores the upper 60 bits of the double `in` to the uint64_t `out`. */
#define DBL64TODBL60(in, out)                                                                                          \
    do {                                                                                                               \
        memcpy(&(out), &(in), 8);                                                                                      \
        (out) >>= 4;                                                                                                   \
    } while (0)
/* Stores the double that the 60 bits in the uint64_t `in` mean to `out`; changes `in`. */
#define DBL60TODBL64(in, out)                                                                                          \
    do {                                                                                                               \
        (in) <<= 4;                                                                                                    \
        memcpy(&(out), &(in), 8);                                                                                      \
    } while (0)

/* Starts a qthread. */
int qthread_fork(qthread_f function, const void *argument, aligned_t *ret);
/* Starts a qthread on a shepherd. */
int qthread_fork_to(qthread_f function, const void *argument, aligned_t *ret, qthread_shepherd_id_t shepherd);
/* The same as qthread_fork(). */
int qthread_fork_net(qthread_f function, const void *argument, aligned_t *ret);
/* Starts a qthread that returns to a syncvar_t. */
int qthread_fork_syncvar(qthread_f function, const void *argument, syncvar_t *ret);
/* Starts a qthread on a shepherd that returns to a syncvar_t. */
int qthread_fork_syncvar_to(qthread_f function, const void *argument, syncvar_t *ret, qthread_shepherd_id_t shepherd);
/* Starts a qthread with a copy of the argument. */
int qthread_fork_copyargs(qthread_f function, const void *argument, size_t size, aligned_t *ret);
/* Starts a qthread on a shepherd with a copy of the argument; it returns to a syncvar_t. */
int qthread_fork_copyargs_to(qthread_f function, const void *argument, size_t size, syncvar_t *ret,
                             qthread_shepherd_id_t shepherd);
/* Starts a qthread with a copy of the argument; it returns to a syncvar_t. */
int qthread_fork_syncvar_copyargs(qthread_f function, const void *argument, size_t size, syncvar_t *ret);
/* The same as qthread_fork_syncvar_copyargs(). */
int qthread_fork_syncvar_copyargs_simple(qthread_f function, const void *argument, size_t size, syncvar_t *ret);
/* Starts a qthread with preconditions. */
int qthread_fork_precond(qthread_f function, const void *argument, aligned_t *ret, int count, ...);
/* Starts a qthread with preconditions on a shepherd. */
int qthread_fork_precond_to(qthread_f function, const void *argument, aligned_t *ret, qthread_shepherd_id_t shepherd,
                            int count, ...);
/* The same as qthread_fork_precond(). */
int qthread_fork_precond_simple(qthread_f function, const void *argument, aligned_t *ret, int count, ...);
/* Starts a qthread with preconditions and a copy of the argument; it returns to a syncvar_t. */
int qthread_fork_copyargs_precond(qthread_f function, const void *argument, size_t size, syncvar_t *ret, int count,
                                  ...);

#define QTHREAD_SPAWN_PARENT (1 << 0)         /* has no effect */
#define QTHREAD_SPAWN_SIMPLE (1 << 1)         /* has no effect */
#define QTHREAD_SPAWN_NEW_TEAM (1 << 2)       /* the qthread founds a team: see qt_team_id() */
#define QTHREAD_SPAWN_NEW_SUBTEAM (1 << 3)    /* the qthread founds a team that is a part of the caller's */
#define QTHREAD_SPAWN_RET_SYNCVAR_T (1 << 4)  /* `ret` is a syncvar_t */
#define QTHREAD_SPAWN_RET_SINC (1 << 5)       /* `ret` is a qt_sinc_t, to which the result is submitted */
#define QTHREAD_SPAWN_RET_SINC_VOID (1 << 6)  /* `ret` is a qt_sinc_t, to which no value is submitted */
#define QTHREAD_SPAWN_PC_SYNCVAR_T (1 << 7)   /* the preconditions are syncvar_t */
#define QTHREAD_SPAWN_COUNT (1 << 8)          /* has no effect */
#define QTHREAD_SPAWN_LOCAL_PRIORITY (1 << 9) /* has no effect */
#define QTHREAD_SPAWN_NETWORK (1 << 10)       /* has no effect */
/* Starts a qthread. `preconditions`: an array of `count` pointers to aligned_t, or to syncvar_t with that flag. `ret`:
 * an aligned_t, or what the flags say; a qt_sinc_t stays as it is until the function has returned. */
int qthread_spawn(qthread_f function, const void *argument, size_t size, void *ret, size_t count, void *preconditions,
                  qthread_shepherd_id_t shepherd, unsigned flags);
/* Starts a qthread on shepherd `p` with a copy of the `z` bytes at `a`; it returns to the syncvar_t at `r`. */
#define qthread_fork_syncvar_copyargs_to(f, a, z, r, p)                                                                \
    qthread_spawn((f), (a), (z), (r), 0, NULL, (p), QTHREAD_SPAWN_RET_SYNCVAR_T)
/* Starts a qthread that founds a team. */
#define qthread_fork_new_team(f, a, r)                                                                                 \
    qthread_spawn((f), (a), 0, (r), 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_TEAM)
/* Starts a qthread that founds a part of the caller's team. */
#define qthread_fork_new_subteam(f, a, r)                                                                              \
    qthread_spawn((f), (a), 0, (r), 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_SUBTEAM)
/* Starts a qthread on shepherd `p` that founds a team. */
#define qthread_fork_new_team_to(f, a, r, p)                                                                           \
    qthread_spawn((f), (a), 0, (r), 0, NULL, (p), QTHREAD_SPAWN_NEW_TEAM)
/* Starts a qthread that founds a team; it returns to a syncvar_t. */
#define qthread_fork_syncvar_new_team(f, a, r)                                                                         \
    qthread_spawn((f), (a), 0, (r), 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_TEAM | QTHREAD_SPAWN_RET_SYNCVAR_T)
/* Starts a qthread that founds a part of the caller's team; it returns to a syncvar_t. */
#define qthread_fork_syncvar_new_subteam(f, a, r)                                                                      \
    qthread_spawn((f), (a), 0, (r), 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_SUBTEAM | QTHREAD_SPAWN_RET_SYNCVAR_T)
/* Starts a qthread with a copy of the `z` bytes at `a` that founds a team. */
#define qthread_fork_copyargs_new_team(f, a, z, r)                                                                     \
    qthread_spawn((f), (a), (z), (r), 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_TEAM)
/* Starts a qthread with a copy of the `z` bytes at `a` that founds a part of the caller's team. */
#define qthread_fork_copyargs_new_subteam(f, a, z, r)                                                                  \
    qthread_spawn((f), (a), (z), (r), 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_SUBTEAM)

void qthread_yield_(int near);                 /* the same as qthread_yield(): the argument has no effect */
#define qthread_yield() qthread_yield_(0)      /* lets other tasks run first */
#define qthread_yield_near() qthread_yield_(1) /* the same as qthread_yield() */
void qthread_flushsc(void);                    /* has no effect: no qthread that was started waits in a cache */

/* The number of the calling qthread, which none of the next four billion gets: 1 for the main qthread, and then in the
 * order of their start. A fiber that another interface of Teff has started gets one at its first call.
 * QTHREAD_NON_TASK_ID on other threads, and inside of another team that a qthread has made. */
unsigned qthread_id(void);
/* The `ret` of the calling qthread, as it was given at the start; NULL on other threads. */
aligned_t *qthread_retloc(void);
/* At least `size` bytes of the calling qthread, zero at first, until it ends. They keep their content when they become
 * more, and may then move. NULL on other threads, or without memory. */
void *qthread_get_tasklocal(unsigned size);
/* How many bytes qthread_get_tasklocal() has given; QT_TASKLOCAL_SIZE, but at least 8, if it has not been called; 0 on
 * other threads. */
unsigned qthread_size_tasklocal(void);
/* How many bytes of stack the caller has left; 0 if the system does not tell. */
size_t qthread_stackleft(void);
void *qthread_bos(void); /* the lowest address of the caller's stack; NULL if the system does not tell */
void *qthread_tos(void); /* one past the highest address of the caller's stack; NULL if the system does not tell */

/* The number of the calling qthread's team; QTHREAD_NON_TEAM_ID on other threads. A qthread is in the team of the one
 * that has started it, or founds a new team. The `ret` of the founder is filled when all qthreads of the team and of
 * its parts have ended. */
unsigned qt_team_id(void);
/* The number of the team that the calling qthread's team is a part of; QTHREAD_NON_TEAM_ID: of none. */
unsigned qt_team_parent_id(void);
/* For qt_team_critical_section(). */
typedef enum qt_team_critical_section_e {
    BEGIN, /* a section begins */
    END    /* a section ends */
} qt_team_critical_section_t;
/* Has no effect: no qthread is ended by another one (there is no qt_team_eureka()). */
void qt_team_critical_section(qt_team_critical_section_t boundary);

/* ---- Shepherds and workers --------------------------------------------------------------------------------------- */

/* The shepherd for which the caller's worker works now; NO_SHEPHERD on a thread that is in no team. */
qthread_shepherd_id_t qthread_shep(void);
/* The number of the caller's worker; NO_WORKER on a thread that is in no team. Stores qthread_shep() to *shepherd, if
 * that is not NULL. */
qthread_worker_id_t qthread_worker(qthread_shepherd_id_t *shepherd);
/* The same as qthread_worker(). */
qthread_worker_id_t qthread_worker_unique(qthread_shepherd_id_t *shepherd);
/* The same as qthread_worker(): workers of different shepherds have different numbers. */
qthread_worker_id_t qthread_worker_local(qthread_shepherd_id_t *shepherd);
qthread_shepherd_id_t qthread_num_shepherds(void); /* how many shepherds the team has */
qthread_worker_id_t qthread_num_workers(void);     /* how many workers the team has when all are there */
/* How many workers the shepherd has when all are there; 0: there is no such shepherd. */
qthread_worker_id_t qthread_num_workers_local(qthread_shepherd_id_t shepherd);
/* The calling qthread continues on that shepherd, and stays there. NO_SHEPHERD: it may run on any from here on. With
 * QTHREAD_BADARGS (no such shepherd) and QTHREAD_NOT_ALLOWED (no qthread, and another shepherd than the caller's) the
 * caller stays where it is; also with QTHREAD_NOT_ALLOWED if the shepherd is disabled. */
int qthread_migrate_to(qthread_shepherd_id_t shepherd);
/* The calling qthread may run on any shepherd from here on. */
void qthread_reset_target_shep(void);
int qthread_shep_ok(void); /* 1: the calling thread is in a team; 0: it is in none */
void qthread_shep_next(qthread_shepherd_id_t *shepherd); /* replaces a number by the next; after the last one comes 0 */
void qthread_shep_prev(qthread_shepherd_id_t *shepherd); /* replaces a number by the one before; before 0, the last */
void qthread_shep_next_local(qthread_shepherd_id_t *shepherd); /* the same as qthread_shep_next() */
void qthread_shep_prev_local(qthread_shepherd_id_t *shepherd); /* the same as qthread_shep_prev() */
/* 0, or 1 for different ones: how far apart they are is not known. QTHREAD_BADARGS: one of them does not exist. */
int qthread_distance(qthread_shepherd_id_t from, qthread_shepherd_id_t to);
/* The numbers of all shepherds but the caller's, not to be freed; NULL: there is no other, no team, or no memory. */
const qthread_shepherd_id_t *qthread_sorted_sheps(void);
/* The numbers of all shepherds but `from`, not to be freed; NULL: there is no other, no such one, or no memory. */
const qthread_shepherd_id_t *qthread_sorted_sheps_remote(qthread_shepherd_id_t from);
/* From here on no qthread is started on the shepherd, and none migrates there, until it is enabled again. Those that
 * are there stay. Its workers go on to run qthreads that were started before and may run anywhere. QTHREAD_NOT_ALLOWED
 * for shepherd 0; QTHREAD_BADARGS if there is none with this number. */
int qthread_disable_shepherd(qthread_shepherd_id_t shepherd);
void qthread_enable_shepherd(qthread_shepherd_id_t shepherd); /* undoes qthread_disable_shepherd() */
int qthread_disable_worker(qthread_worker_id_t worker);       /* QTHREAD_NOT_ALLOWED: none can be disabled */
void qthread_enable_worker(qthread_worker_id_t worker);       /* has no effect */

/* What qthread_readstate() can be asked for. */
enum introspective_state {
    STACK_SIZE,            /* bytes of the stack of a qthread; 0 on a thread that is in no team */
    RUNTIME_DATA_SIZE,     /* bytes of the record of a qthread, without its stack and what it copies */
    BUSYNESS,              /* qthreads that run or could run, of all shepherds, and one for the main one; a hint */
    NODE_BUSYNESS,         /* the same as BUSYNESS */
    ACTIVE_SHEPHERDS,      /* qthread_num_shepherds() without those that are disabled */
    TOTAL_SHEPHERDS,       /* qthread_num_shepherds() */
    ACTIVE_WORKERS,        /* qthread_num_workers() */
    TOTAL_WORKERS,         /* qthread_num_workers() */
    WORKER_OCCUPATION,     /* BUSYNESS, or the number of workers if that is less */
    CURRENT_SHEPHERD,      /* qthread_shep() */
    CURRENT_WORKER,        /* qthread_worker() */
    CURRENT_UNIQUE_WORKER, /* qthread_worker() */
    CURRENT_TEAM,          /* qt_team_id() */
    PARENT_TEAM            /* qt_team_parent_id() */
};
/* The number that is asked for. */
size_t qthread_readstate(enum introspective_state what);

/* ---- Full/empty bits --------------------------------------------------------------------------------------------- */

/* 1: full; 0: empty. A hint if other threads use the word. */
int qthread_feb_status(const aligned_t *word);
int qthread_empty(const aligned_t *word); /* makes the word empty, with the value that it has, without waiting */
int qthread_fill(const aligned_t *word);  /* makes the word full, with the value that it has, without waiting */
/* Waits until the word is empty; leaves it full, with the value at `from`. */
int qthread_writeEF(aligned_t *TEFF_RESTRICT word, const aligned_t *TEFF_RESTRICT from);
/* Waits until the word is empty; leaves it full, with the value. */
int qthread_writeEF_const(aligned_t *word, aligned_t value);
/* Does not wait; leaves the word full, with the value at `from`. */
int qthread_writeF(aligned_t *word, const aligned_t *from);
/* Does not wait; leaves the word full, with the value. */
int qthread_writeF_const(aligned_t *word, aligned_t value);
/* Waits until the word is full; leaves it full, with the value at `from`. */
int qthread_writeFF(aligned_t *TEFF_RESTRICT word, const aligned_t *TEFF_RESTRICT from);
/* Waits until the word is full; leaves it full, with the value. */
int qthread_writeFF_const(aligned_t *word, aligned_t value);
int qthread_readFF(aligned_t *to, const aligned_t *word); /* waits until the word is full, reads it, leaves it full */
int qthread_readFE(aligned_t *to, const aligned_t *word); /* waits until the word is full, reads it, leaves it empty */
int qthread_readXX(aligned_t *to, const aligned_t *word); /* does not wait; reads the word, leaves it as it is */
int qthread_purge(aligned_t *word);                       /* does not wait; leaves the word empty, with the value 0 */
/* Does not wait; leaves the word empty, with the value at `from`. */
int qthread_purge_to(aligned_t *TEFF_RESTRICT word, const aligned_t *TEFF_RESTRICT from);
/* Does not wait; leaves the word empty, with the value. */
int qthread_purge_to_const(aligned_t *word, aligned_t value);

/* 1: full; 0: empty; QTHREAD_MALLOC_ERROR: not known. A hint if other threads use the variable. */
int qthread_syncvar_status(syncvar_t *variable);
int qthread_syncvar_empty(syncvar_t *variable); /* makes it empty, with the value that it has, without waiting */
int qthread_syncvar_fill(syncvar_t *variable);  /* makes it full, with the value that it has, without waiting */
/* Waits until it is empty; leaves it full, with the lower 60 bits of the value at `from`. */
int qthread_syncvar_writeEF(syncvar_t *TEFF_RESTRICT variable, const uint64_t *TEFF_RESTRICT from);
/* Waits until it is empty; leaves it full, with the lower 60 bits of the value. */
int qthread_syncvar_writeEF_const(syncvar_t *variable, uint64_t value);
/* Does not wait; leaves it full, with the lower 60 bits of the value at `from`. */
int qthread_syncvar_writeF(syncvar_t *TEFF_RESTRICT variable, const uint64_t *TEFF_RESTRICT from);
/* Does not wait; leaves it full, with the lower 60 bits of the value. */
int qthread_syncvar_writeF_const(syncvar_t *variable, uint64_t value);
/* Waits until it is full, reads it, leaves it full. The upper four bits of the result are 0. */
int qthread_syncvar_readFF(uint64_t *TEFF_RESTRICT to, syncvar_t *TEFF_RESTRICT variable);
/* Waits until it is full, reads it, leaves it empty. The upper four bits of the result are 0. */
int qthread_syncvar_readFE(uint64_t *TEFF_RESTRICT to, syncvar_t *TEFF_RESTRICT variable);
/* Waits until it is full, adds `increment`, and leaves it full. Returns the new value, of 60 bits. Without memory the
 * program ends with a message. */
uint64_t qthread_syncvar_incrF(syncvar_t *variable, uint64_t increment);

/* Waits until the lock is free, and takes it. A lock is a word that is full while it is free. */
int qthread_lock(const aligned_t *word);
/* Frees the lock, on any thread. A recursive one: when it was called as often as qthread_lock(), by the qthread that
 * has it; QTHREAD_NOT_ALLOWED on any other. */
int qthread_unlock(const aligned_t *word);
int qthread_trylock(const aligned_t *word); /* takes the lock if it is free; QTHREAD_OPFAIL: it is not */
/* Before the lock is used: makes it recursive, or not. A recursive lock can be taken again by the qthread that has it.
 * Without this call it is not recursive. */
int qthread_lock_init(const aligned_t *word, bool is_recursive);
int qthread_lock_destroy(aligned_t *word); /* the word is a lock that is not recursive again; it must be free */

#define QTHREAD_SPINLOCK_IS_RECURSIVE (-1)     /* in an initialiser: the lock is recursive */
#define QTHREAD_SPINLOCK_IS_NOT_RECURSIVE (-2) /* in an initialiser: the lock is not recursive */
/* A lock that keeps in itself whether it is recursive. A qthread that waits for it keeps no worker. */
typedef struct {
    aligned_t word; /* of the library */
    int64_t owner;  /* of the library */
    int64_t count;  /* of the library */
} qthread_spinlock_t;
#define QTHREAD_MUTEX_INITIALIZER {0, QTHREAD_SPINLOCK_IS_NOT_RECURSIVE, 0}       /* in the definition of a lock */
#define QTHREAD_RECURSIVE_MUTEX_INITIALIZER {0, QTHREAD_SPINLOCK_IS_RECURSIVE, 0} /* of one that is recursive */
int qthread_spinlock_init(qthread_spinlock_t *lock, bool is_recursive); /* makes a lock, which is free */
int qthread_spinlock_destroy(qthread_spinlock_t *lock);                 /* ends a lock, which must be free */
int qthread_spinlock_lock(qthread_spinlock_t *lock);                    /* waits until it is free, and takes it */
int qthread_spinlock_unlock(qthread_spinlock_t *lock);                  /* frees it, as qthread_unlock() */
int qthread_spinlock_trylock(qthread_spinlock_t *lock); /* takes it if it is free; QTHREAD_OPFAIL: it is not */
int qthread_spinlocks_init(qthread_spinlock_t *lock, bool is_recursive); /* the same as qthread_spinlock_init() */
int qthread_spinlocks_destroy(qthread_spinlock_t *lock);                 /* the same as qthread_spinlock_destroy() */

/* ---- Queues of qthreads ------------------------------------------------------------------------------------------ */

/* A queue in which qthreads wait, first in, first out, until they are released. Any thread may call any function. */
typedef struct qthread_queue_s *qthread_queue_t;

#define QTHREAD_QUEUE_NO_SYNCH (1 << 0)          /* has no effect: queues may be used by several threads at once */
#define QTHREAD_QUEUE_MULTI_JOIN (1 << 1)        /* has no effect */
#define QTHREAD_QUEUE_MULTI_JOIN_LENGTH (1 << 2) /* has no effect: all queues know their length */
#define QTHREAD_QUEUE_CAPPED (1 << 3)            /* at most `length` qthreads wait in the queue */
/* Makes an empty queue; NULL: there is no memory. flags: any of the above. */
qthread_queue_t qthread_queue_create(uint8_t flags, aligned_t length);
/* Waits until the caller is released. QTHREAD_BADARGS: NULL; QTHREAD_OPFAIL: a capped queue is full. */
int qthread_queue_join(qthread_queue_t queue);
aligned_t qthread_queue_length(qthread_queue_t queue); /* how many wait */
int qthread_queue_release_one(qthread_queue_t queue);  /* the one that has waited longest goes on, if any waits */
int qthread_queue_release_all(qthread_queue_t queue);  /* all go on that wait */
int qthread_queue_destroy(qthread_queue_t queue);      /* frees the queue, in which none waits */

/* ---- Atomic operations ------------------------------------------------------------------------------------------- */

/* Adds to a number of 32 bits. Returns the value before. */
static inline uint32_t qthread_incr32(uint32_t *operand, uint32_t increment) {
    return __atomic_fetch_add(operand, increment, __ATOMIC_SEQ_CST);
}
/* Adds to a number of 64 bits. Returns the value before. */
static inline uint64_t qthread_incr64(uint64_t *operand, uint64_t increment) {
    return __atomic_fetch_add(operand, increment, __ATOMIC_SEQ_CST);
}
/* Adds to a double. Returns the value before. */
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
/* Adds to a float. Returns the value before. */
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
/* Adds to a number of 4 or 8 bytes; ends the program with any other length. Returns the value before. */
static inline int64_t qthread_incr_xx(void *address, int64_t increment, size_t length) {
    switch (length) {
    case 4:
        return qthread_incr32((uint32_t *)address, (uint32_t)increment);
    case 8:
        return (int64_t)qthread_incr64((uint64_t *)address, (uint64_t)increment);
    default:
        QTHREAD_TRAP();
    }
    return 0;
}
/* Adds to an integer of up to 64 bits. Returns the value before. */
#define qthread_incr(address, increment) __sync_fetch_and_add((address), (increment))
/* Stores `new_value` at the address if `old_value` is there. Returns the value before. */
#define qthread_cas(address, old_value, new_value) __sync_val_compare_and_swap((address), (old_value), (new_value))
/* As qthread_cas(), for 32 bits. */
#define qthread_cas32(address, old_value, new_value) __sync_val_compare_and_swap((address), (old_value), (new_value))
/* As qthread_cas(), for 64 bits. */
#define qthread_cas64(address, old_value, new_value) __sync_val_compare_and_swap((address), (old_value), (new_value))
/* As qthread_cas(), for a pointer. */
#define qthread_cas_ptr(address, old_value, new_value)                                                                 \
    ((void *)__sync_val_compare_and_swap((address), (old_value), (new_value)))

Q_ENDCXX

#ifdef __cplusplus
extern "C++" {
#include "syncvar.hpp"
}
#endif

#endif
