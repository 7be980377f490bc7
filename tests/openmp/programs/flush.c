// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flush: what a thread has written before it sends a signal, the thread that receives the signal reads. With a list,
// without one, and with memory orders. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <sched.h>

enum { rounds = 40 };

static int data, other, sent, answered;

// The thread gives way while it waits, since the other one may need its processor.
static void wait_for(int *flag, int value) {
    int seen;
    do {
        sched_yield();
#pragma omp atomic read
        seen = *flag;
    } while (seen != value);
}

int main(void) {
#pragma omp parallel num_threads(2)
    {
        EXPECT_EQUAL(omp_get_num_threads(), 2);
        if (omp_get_thread_num() == 0) {
            for (int i = 1; i <= rounds; i++) {
                data = i;
                other = -i;
                if (i % 3 == 0) {
#pragma omp flush
                } else if (i % 3 == 1) {
#pragma omp flush(data, other)
                } else {
#pragma omp flush release
                }
#pragma omp atomic write
                sent = i;
                wait_for(&answered, i);
#pragma omp flush acquire
                EXPECT_EQUAL(data, i + 1000);
            }
        } else {
            for (int i = 1; i <= rounds; i++) {
                wait_for(&sent, i);
                if (i % 3 == 0) {
#pragma omp flush
                } else if (i % 3 == 1) {
#pragma omp flush(data, other)
                } else {
#pragma omp flush acquire
                }
                EXPECT_EQUAL(data, i);
                EXPECT_EQUAL(other, -i);
                data = i + 1000;
#pragma omp flush acq_rel
#pragma omp atomic write
                answered = i;
            }
        }
    }
    return expectations_failed;
}
