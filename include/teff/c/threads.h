/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Lightweight threads for C, and for the runtimes of languages: the whole of teff/threads.hpp with error codes in place
 * of exceptions. docs/tasking_layer.md shows a tasking layer that is made of it.
 *
 * A fiber that waits, in any function here, is put aside, and its worker runs other tasks. It may go on on another
 * thread; so no address of a thread-local variable may be kept across a call. All functions may be called by any
 * thread: those that wait let a fiber wait, let a thread in a team run tasks, and let any other thread sleep.
 *
 * A function that returns a teff_status returns TEFF_OK or says why it has done nothing. Pointers to results are
 * written only with TEFF_OK. Functions that are passed in get `argument` as it was given. They may be C++ functions,
 * whose exceptions arrive as TEFF_EXCEPTION.
 *
 * The structures with a field `opaque` may be parts of the caller's own. They are initialised before use and destroyed
 * after it, must not be moved in between, and need no other memory.
 */
#ifndef TEFF_C_THREADS_H
#define TEFF_C_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call has done, or why it has done nothing. */
typedef enum teff_status {
    TEFF_OK = 0,
    TEFF_NO_MEMORY,      /* for a fiber, its stack, or anything else */
    TEFF_NO_STACK,       /* the calling thread has used up its stack */
    TEFF_BAD_ARGUMENT,   /* an option, or an argument, cannot be used */
    TEFF_THREAD_EXITS,   /* the calling thread is exiting */
    TEFF_CLOSED,         /* the channel is closed */
    TEFF_EXCEPTION,      /* a function that was passed in has thrown */
    TEFF_NO_FIBER        /* the caller runs on no fiber, or on top of another team or a task there */
} teff_status;

/* A sentence in English. Any value of teff_status. */
const char *teff_status_text(teff_status status);

/* A function that is called later, with the argument that was given with it. */
typedef void (*teff_function)(void *argument);

/* ---- Teams ------------------------------------------------------------------------------------------------------- */

/* Calls the function in a team of `threads` threads, the calling one included, with a scheduler by name; 0 and NULL
 * stand for the values of the variables TEFF_NUM_THREADS and TEFF_SCHEDULER, or the defaults. All fibers that are
 * started inside run in this team, and have ended when the call returns. A program that does not call it has a team
 * with the defaults. */
teff_status teff_execute(long threads, const char *scheduler, teff_function function, void *argument);

/* ---- Fibers ------------------------------------------------------------------------------------------------------ */

/* The handle of a fiber. */
typedef struct teff_fiber teff_fiber;

/* Starts a fiber. It must be joined or detached once; both end the handle. */
teff_status teff_fiber_start(teff_fiber **made, teff_function function, void *argument);
/* Waits for the end of the function. Not on the fiber itself. TEFF_NO_MEMORY: there was no stack for the fiber, and the
 * function was not called. */
teff_status teff_fiber_join(teff_fiber *fiber);
/* Lets the fiber run without a handle. An exception of the function then ends the program. */
void teff_fiber_detach(teff_fiber *fiber);

/* ---- Shepherds ----------------------------------------------------------------------------------------------------
 *
 * The workers of a team are grouped into shepherds, as the variable TEFF_SHEPHERDS says. A bound fiber runs only on the
 * workers of its shepherd. Numbers begin with 0; one that no shepherd of the team has is a TEFF_BAD_ARGUMENT. */

/* No shepherd's number. */
#define TEFF_NO_SHEPHERD ((unsigned)-1)

/* How many shepherds the calling thread's team has. */
teff_status teff_count_shepherds(unsigned *count);
/* How many workers one of them has when all are there. */
teff_status teff_count_workers(unsigned shepherd, unsigned *count);
/* The shepherd for which the caller's worker works now; TEFF_NO_SHEPHERD on a thread that is in no team. */
unsigned teff_shepherd(void);
/* The shepherd that the calling fiber is bound to; TEFF_NO_SHEPHERD if it is not bound, or on other threads. */
unsigned teff_bound_to(void);
/* As teff_fiber_start(), for a fiber that is bound. */
teff_status teff_fiber_start_on(unsigned shepherd, teff_fiber **made, teff_function function, void *argument);
/* As teff_begin(), for a fiber that is bound. */
teff_status teff_begin_on(unsigned shepherd, teff_function function, void *argument);
/* Binds the calling fiber, and returns when it runs there. */
teff_status teff_migrate_to(unsigned shepherd);
/* From here on the calling fiber may go on on any worker. */
void teff_unbind(void);

/* ---- Lists of tasks ---------------------------------------------------------------------------------------------- */

/* Functions that are run together, again and again. One thread at a time uses a list. */
typedef struct teff_task_list teff_task_list;

/* Makes an empty list. TEFF_NO_MEMORY: *made is as it was. */
teff_status teff_task_list_create(teff_task_list **made);
/* Frees the list. It must not be running. */
void teff_task_list_destroy(teff_task_list *list);
/* Adds a function, at the end. TEFF_NO_MEMORY: the list is as it was. */
teff_status teff_task_list_add(teff_task_list *list, teff_function function, void *argument);
/* Runs each task on a fiber of its own, so that they may wait for each other, and waits for all. The list stays as it
 * is. With a status other than TEFF_OK some tasks may have run; all that have begun have ended. */
teff_status teff_task_list_run(const teff_task_list *list);

/* ---- Chapel's constructs ----------------------------------------------------------------------------------------- */

/* Starts a fiber without a handle. The innermost teff_sync() around waits for it. */
teff_status teff_begin(teff_function function, void *argument);
/* Calls the body, and returns when all fibers have ended that were begun inside, also by such fibers. */
teff_status teff_sync(teff_function body, void *argument);
/* Calls body(index, argument) for each index from `first` up to `last` - 1 on a fiber of its own; waits for all. */
teff_status teff_coforall(int64_t first, int64_t last, void (*body)(int64_t index, void *argument), void *argument);
/* Calls the body, inside of which teff_begin(), teff_coforall() and teff_task_list_run() start no fibers, but call
 * their functions one after the other. */
teff_status teff_serial(teff_function body, void *argument);

/* ---- Control ----------------------------------------------------------------------------------------------------- */

/* Lets other tasks run first. */
void teff_yield(void);
/* Returns when at least so many nanoseconds have passed. */
void teff_sleep_ns(uint64_t nanoseconds);
/* Whether the caller runs on a fiber. */
bool teff_on_fiber(void);
/* The number of the calling fiber, which no other fiber of the process has; 0 on other threads. */
uint64_t teff_fiber_id(void);
/* Names the calling fiber in messages. The text must stay valid until the fiber ends. */
void teff_fiber_set_name(const char *name);
/* Whether the calling fiber is inside of a serial block; and the same as the begin or the end of one, for a language
 * that has such blocks in the middle of functions. Both on a fiber; false, and without effect, on other threads. */
bool teff_is_serial(void);
/* Sets what teff_is_serial() returns. */
void teff_set_serial(bool is_serial);

/* ---- Queries ----------------------------------------------------------------------------------------------------- */

/* Hints while fibers change, and otherwise exact; of the whole process. */
typedef struct teff_counts {
    size_t fibers;       /* that have been started and have not ended */
    size_t running;      /* on a worker */
    size_t ready;        /* to run, or to go on */
    size_t blocked;      /* wait for something, or sleep */
    size_t workers;      /* threads of the runtime */
    size_t idle_workers; /* of these, those that have nothing to do */
} teff_counts;

/* Writes the counts of now to *counts. */
void teff_count_fibers(teff_counts *counts);

/* ---- Stack ------------------------------------------------------------------------------------------------------- */

/* Calls the function with at least so many bytes of stack: on the present stack, or on a large one from a pool. */
teff_status teff_with_stack(size_t size, teff_function function, void *argument);

/* ---- Synchronisation variables ----------------------------------------------------------------------------------- */

/* A variable that is full or empty. The names say which state an operation waits for and which one it leaves: e empty,
 * f full, x either. Operations that wait for the same state get their turn in the order in which they came. */
typedef struct teff_sync_var {
    uint64_t opaque[12]; /* of the library */
} teff_sync_var;

void teff_sync_var_init(teff_sync_var *variable); /* empty */
/* No operation may be under way. */
void teff_sync_var_destroy(teff_sync_var *variable);
/* Waits until it is empty; leaves it full. */
void teff_sync_var_write_ef(teff_sync_var *variable, uint64_t value);
/* Waits until it is full; leaves it full, with the new value. */
void teff_sync_var_write_ff(teff_sync_var *variable, uint64_t value);
/* Does not wait; leaves it full, with the new value. */
void teff_sync_var_write_xf(teff_sync_var *variable, uint64_t value);
/* Waits until it is full; leaves it empty. */
uint64_t teff_sync_var_read_fe(teff_sync_var *variable);
/* Waits until it is full; leaves it full. */
uint64_t teff_sync_var_read_ff(teff_sync_var *variable);
/* The value, whatever the state is, without waiting. */
uint64_t teff_sync_var_read_xx(const teff_sync_var *variable);
void teff_sync_var_reset(teff_sync_var *variable); /* empty, with the value 0 */
/* A hint if other threads use the variable. */
bool teff_sync_var_is_full(const teff_sync_var *variable);

/* The same on any word of memory, which is full unless an operation has emptied it, and must be full again when its
 * memory is used for something else. `value` may be NULL if it is not needed. TEFF_NO_MEMORY: nothing has changed. */
teff_status teff_write_ef(uint64_t *word, uint64_t value);
/* Waits until the word is full; leaves it full, with the new value. */
teff_status teff_write_ff(uint64_t *word, uint64_t value);
/* Does not wait; leaves the word full, with the new value. */
teff_status teff_write_xf(uint64_t *word, uint64_t value);
/* Waits until the word is full; leaves it empty. */
teff_status teff_read_fe(uint64_t *word, uint64_t *value);
/* Waits until the word is full; leaves it full. */
teff_status teff_read_ff(uint64_t *word, uint64_t *value);
/* Makes the word full, with the value that it has, without waiting. */
teff_status teff_fill(uint64_t *word);
/* Makes the word empty, without waiting. */
teff_status teff_empty(uint64_t *word);
/* A hint if other threads use the word. */
teff_status teff_is_full(const uint64_t *word, bool *is_full);

/* ---- Mutexes and condition variables ----------------------------------------------------------------------------- */

/* Of these, too, variables of other types can be made. Waiters get their turn in the order in which they came, and a
 * fiber may hold a mutex across a wait. */
typedef struct teff_mutex {
    uint64_t opaque[8]; /* of the library */
} teff_mutex;
/* What a caller that holds a mutex waits for until it is notified. */
typedef struct teff_condition {
    uint64_t opaque[8]; /* of the library */
} teff_condition;

/* Makes a mutex that is free. */
void teff_mutex_init(teff_mutex *mutex);
/* No call may hold the mutex or wait for it. */
void teff_mutex_destroy(teff_mutex *mutex);
/* Returns when the caller holds the mutex. Must not be called by its holder. */
void teff_mutex_lock(teff_mutex *mutex);
/* Takes the mutex if it is free; otherwise returns false at once. */
bool teff_mutex_try_lock(teff_mutex *mutex);
/* Only the holder calls it. */
void teff_mutex_unlock(teff_mutex *mutex);

/* Makes a condition that no call waits for. */
void teff_condition_init(teff_condition *condition);
/* No call may wait for the condition. */
void teff_condition_destroy(teff_condition *condition);
/* The caller holds the mutex, before and after. Never returns without a notification. */
void teff_condition_wait(teff_condition *condition, teff_mutex *mutex);
/* Wakes the one that has waited longest, if any does. */
void teff_condition_notify_one(teff_condition *condition);
/* Wakes all that wait. */
void teff_condition_notify_all(teff_condition *condition);

/* ---- Channels ---------------------------------------------------------------------------------------------------- */

/* A queue of pointers between fibers and threads. */
typedef struct teff_channel teff_channel;

/* A queue of up to `capacity` pointers. With a capacity of 0 the sender waits for the receiver. */
teff_status teff_channel_create(teff_channel **made, size_t capacity);
/* Frees the channel. No call may be under way. */
void teff_channel_destroy(teff_channel *channel);
/* Waits for room; TEFF_CLOSED: the value was not sent. */
teff_status teff_channel_send(teff_channel *channel, void *value);
/* Waits for a value; TEFF_CLOSED: all have been received, and none will come. */
teff_status teff_channel_receive(teff_channel *channel, void **value);
/* No value can be sent any more; those inside can still be received. May be called again. */
void teff_channel_close(teff_channel *channel);

/* ---- Task-private data ------------------------------------------------------------------------------------------- */

/* A variable that each fiber and each thread has for itself. */
typedef struct teff_key teff_key;

/* A pointer of which each fiber, and each thread, has its own, NULL at first. At the end of a fiber or thread `destroy`
 * is called with a pointer that is not NULL, unless it is NULL itself. */
teff_status teff_key_create(teff_key **made, void (*destroy)(void *value));
/* Pointers that are set remain until their fibers and threads end. */
void teff_key_destroy(teff_key *key);
/* Sets the caller's pointer. TEFF_NO_MEMORY: it is as it was. */
teff_status teff_key_set(teff_key *key, void *value);
/* NULL also if there is no memory. */
void *teff_key_get(teff_key *key);

#ifdef __cplusplus
}
#endif

#endif
