/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * usage: settings [SHEPHERDS]
 * Says what the variables have chosen; SHEPHERDS is given to qthread_init().
 */
#define _GNU_SOURCE
#include <qthread/qthread.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* How many CPUs the thread may use. */
static aligned_t cpus(void *argument) {
    cpu_set_t mask;
    (void)argument;
    return sched_getaffinity(0, sizeof mask, &mask) == 0 ? (aligned_t)CPU_COUNT(&mask) : 0;
}

static aligned_t arrived = 0;
/* All workers have one of these at the same time, as the thread of main has. */
static aligned_t meets(void *argument) {
    qthread_incr(&arrived, 1);
    while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < qthread_num_workers())
        sched_yield();
    return cpus(argument);
}

int main(int argc, char **argv) {
    const int code = argc > 1 ? qthread_init((qthread_shepherd_id_t)atoi(argv[1])) : qthread_initialize();
    aligned_t least = 1 << 20, rets[64];
    if (code != QTHREAD_SUCCESS)
        return 1;
    printf("%d shepherds, %d workers, stacks of %zu KiB, %u bytes of task-local data\n", qthread_num_shepherds(),
           qthread_num_workers(), qthread_readstate(STACK_SIZE) / 1024, qthread_size_tasklocal());
    for (int i = 0; i < qthread_num_workers(); ++i)
        qthread_fork(meets, NULL, &rets[i]);
    for (int i = 0; i < qthread_num_workers(); ++i) {
        qthread_readFF(NULL, &rets[i]);
        least = rets[i] < least ? rets[i] : least;
    }
    printf("a worker has %d CPUs, main has %d\n", (int)least, (int)cpus(NULL));
    qthread_finalize();
    return 0;
}
